package fleet

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// trail is where a walk has been: the Kustomizations that it has followed, and what it has found.
type trail struct {
	*lookup
	*origins
	*results
	applied  map[string]*entries.Kustomization   // by id
	outcomes map[string][]*entries.Kustomization // what else each may be, by id
	appliers map[string][]*entries.Kustomization // what applies each, by id; nil is what is outside of the tree
	built    map[string]bool                     // those that can be built, by id
	decrypts bool                                // one holds an encrypted Secret, and what the tree does not show decrypts it
}

func newTrail(l *lookup) *trail {
	return &trail{
		lookup: l, origins: &origins{lookup: l, made: map[artifact]*build.Source{}, believed: map[need]bool{}}, results: &results{lookup: l},
		applied: map[string]*entries.Kustomization{}, outcomes: map[string][]*entries.Kustomization{}, appliers: map[string][]*entries.Kustomization{},
		built: map[string]bool{},
	}
}

// again reports whether a Kustomization that is met a second time is followed once more: with
// settings that it did not have the first time, which it records. One that itself, or what it applies,
// applies again as it is stays so: flux bootstrap writes it in this way.
func (t *trail) again(k, first *entries.Kustomization) bool {
	id := t.id(k)
	for _, met := range append([]*entries.Kustomization{first}, t.outcomes[id]...) {
		if entries.SameSpec(k.Object, met.Object) && (k.Skipped != "" || met.Skipped == "") {
			return false
		}
	}
	if !k.IsOutcome() && !first.IsOutcome() {
		t.failShown(k, fmt.Sprintf("is applied twice, with different settings: %s, and %s; each undoes the other", first.Applier(), k.Applier()))
		if first.Parent == nil && k.Parent == nil {
			t.failed[len(t.failed)-1].Advice = fmt.Sprintf("see %s:%d and %s:%d", first.File, first.Line, k.File, k.Line)
		}
	}
	if len(t.outcomes[id]) >= mostOutcomes {
		t.fail(k, "is not followed with all of its settings: there are too many")
		return false
	}
	t.outcomes[id] = append(t.outcomes[id], k)
	return true
}

// whole reports whether the tree describes the cluster and shows all that is applied to it.
func (t *trail) whole() bool {
	return t.described() && !slices.ContainsFunc(t.failed, hides) &&
		!slices.ContainsFunc(slices.Collect(maps.Values(t.applied)), func(k *entries.Kustomization) bool { return k.Source != nil && len(k.Walk().Remotes) > 0 })
}

// described reports whether the tree has the entry of the cluster, as it has that of one that applies itself: a
// Kustomization applies each of its Kustomizations, and somebody applied the first by hand.
func (t *trail) described() bool {
	all := slices.DeleteFunc(slices.Collect(maps.Values(t.applied)), func(k *entries.Kustomization) bool { return k.Folder })
	return t.cluster.Described() || !t.cluster.LeftOver && len(all) > 0 && !slices.ContainsFunc(all, func(k *entries.Kustomization) bool {
		return !slices.ContainsFunc(t.appliers[t.id(k)], func(by *entries.Kustomization) bool { return by != nil && !by.Folder })
	})
}

// closed returns the folders whose kustomization.yaml a Flux Kustomization of the cluster builds:
// somebody has taken out what lies below one and is not among what that takes.
func (t *trail) closed() map[string]bool {
	out := map[string]bool{}
	for _, k := range t.applied {
		if k.Folder || k.Source == nil || !k.Source.Own {
			continue
		}
		for _, kust := range k.Walk().Kusts {
			if path.Dir(kust.Path) != k.Dir || !kust.HostsComponents(k.Object) {
				out[path.Join(t.root.Dir, path.Dir(kust.Path))] = true
			}
		}
	}
	return out
}

// touches reports whether a cluster has to do with a file or folder of the tree.
func (t *trail) touches(at string) bool {
	is := func(name string) bool { return tree.Within(at, name) }
	if is(t.dir) || is(t.cluster.Dir) || slices.ContainsFunc(t.cluster.Files, is) {
		return true
	}
	for id, k := range t.applied {
		for _, k := range append(t.outcomes[id], k) {
			if k.Source != nil && slices.ContainsFunc(slices.Concat(k.Walk().Files, k.Walk().Parts), func(name string) bool {
				own, ok := t.index.Origin(k.Source, name)
				return ok && is(own)
			}) {
				return true
			}
		}
	}
	return false
}
