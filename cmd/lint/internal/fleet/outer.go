package fleet

import (
	"context"
	"maps"
	"path"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// outer returns the clusters that no other one applies or has taken out, once the paths of its
// Kustomizations are resolved: replacements, patches and variables may write them. Of two that apply
// each other the first is kept. Each is skimmed, beside what is known.
func (r *resolver) outer(ctx context.Context, all []*Cluster) ([]*Cluster, error) {
	if len(all) < 2 {
		return all, nil
	}
	evidence := make([]map[string]bool, len(all))
	reached, closed := make([]*manifests.Coverage, len(all)), make([]map[string]bool, len(all))
	trial := func(i int) error {
		own := *r.world
		own.coverage, own.asked, own.evidence = manifests.NewCoverage(r.index), nothing(), maps.Clone(r.evidence)
		p, err := (&resolver{world: &own}).resolve(ctx, all[i])
		if err == nil {
			reached[i], closed[i] = own.coverage, p.closed()
			evidence[i] = own.evidence
		}
		return err
	}
	if err := trial(0); err != nil { // the others begin with what it has found to look for
		return nil, err
	}
	maps.Copy(r.evidence, evidence[0])
	if err := cores.Each(len(all)-1, func(i int) error { return trial(i + 1) }); err != nil {
		return nil, err
	}
	for _, found := range evidence {
		maps.Copy(r.evidence, found)
	}
	reaches := func(i, j int) bool {
		return i != j && (all[j].switchedOff(closed[i]) || !slices.ContainsFunc(all[j].files, func(file string) bool { return !reached[i].Built[file] }))
	}
	var out []*Cluster
	for j, c := range all {
		inner := false
		for i := range all {
			inner = inner || reaches(i, j) && (i < j || !reaches(j, i))
		}
		if !inner {
			out = append(out, c)
		}
	}
	return out, nil
}

// closed returns the folders whose kustomization.yaml a Flux Kustomization of the cluster builds:
// somebody has taken out what lies below one and is not among what that takes.
func (p *pass) closed() map[string]bool {
	out := map[string]bool{}
	for _, k := range p.applied {
		if k.Folder || k.Source == nil || !k.Source.Own {
			continue
		}
		for _, kust := range k.walk().Kusts {
			out[path.Join(p.root.dir, path.Dir(kust.Path))] = true
		}
	}
	return out
}

// switchedOff reports whether the entry of a cluster, which nothing has reached, lies below a closed
// folder. One that builds the folder that it lies in is an entry all the same.
func (c *Cluster) switchedOff(closed map[string]bool) bool {
	itself := func(k *Kustomization) bool { return !k.Folder && tree.Within(object.Path(k.Object), path.Dir(c.File)) }
	if slices.ContainsFunc(c.entries, itself) {
		return false
	}
	for dir := path.Dir(c.File); dir != "."; dir = path.Dir(dir) {
		if closed[dir] {
			return true
		}
	}
	return false
}
