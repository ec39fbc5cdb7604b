package fleet

import (
	"context"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
)

// outer returns the clusters that no other one applies or has taken out, once the paths of its
// Kustomizations are resolved: replacements, patches and variables may write them. Of two that apply
// each other the first is kept. Each is skimmed, beside what is known.
func (r *resolver) outer(ctx context.Context, all []*entries.Cluster) ([]*entries.Cluster, error) {
	if len(all) < 2 {
		return all, nil
	}
	evidence := make([]map[string]bool, len(all))
	reached, closed := make([]*manifests.Coverage, len(all)), make([]map[string]bool, len(all))
	trial := func(i int) error {
		own := *r.world
		own.coverage, own.evidence = manifests.NewCoverage(r.index), maps.Clone(r.evidence)
		p, err := (&resolver{world: &own, base: r.base, asked: nothing()}).resolve(ctx, all[i])
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
		return i != j && (entries.SwitchedOff(r.index, all[j], closed[i]) || !slices.ContainsFunc(all[j].Files, func(file string) bool { return !reached[i].Built[file] }))
	}
	var out []*entries.Cluster
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
