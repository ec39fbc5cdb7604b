package fleet

import (
	"context"
	"path"
	"slices"
)

// outer returns the clusters that no other one applies, once the paths of its Kustomizations are
// resolved: replacements, patches and variables may write them. Of two that apply each other the
// first is kept. Each is skimmed, beside what is known.
func (r *resolver) outer(ctx context.Context, all []*Cluster) ([]*Cluster, error) {
	if len(all) < 2 {
		return all, nil
	}
	reached := make([]*coverage, len(all))
	for i, c := range all {
		trial := *r.world
		trial.coverage, trial.wanted = newCoverage(r.index), nobody
		if _, err := (&resolver{world: &trial}).resolve(ctx, c); err != nil {
			return nil, err
		}
		reached[i] = trial.coverage
	}
	reaches := func(i, j int) bool {
		return i != j && !slices.ContainsFunc(all[j].files, func(file string) bool { return !reached[i].built[file] })
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

// switchedOff reports whether the entry of a cluster lies in a folder that a cluster builds by a
// kustomization.yaml, and is not among what that takes: somebody has taken it out. One that builds the
// folder that it lies in is an entry all the same.
func (r *resolver) switchedOff(c *Cluster) bool {
	own := path.Dir(c.File)
	if slices.ContainsFunc(c.entries, func(k *Kustomization) bool { return !k.Folder && within(pathOf(k.Object), own) }) {
		return false
	}
	for _, done := range r.done {
		if done.leftover || done.Cluster.Unapplied() {
			continue
		}
		for _, k := range done.pass.applied {
			if k.Source == nil || !k.Source.Own || k.Source.KustFileIn(k.Dir) == nil {
				continue
			}
			dir := path.Join(done.Root, k.Dir)
			if dir != "" && dir != "." && within(dir, own) && own != dir {
				return true
			}
		}
	}
	return false
}
