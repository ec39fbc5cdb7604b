package fleet

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// lookup finds the objects that a pass needs in its cluster, and records what it has found.
type lookup struct {
	*world
	cluster *entries.Cluster
	dir     string // the folder that the entry applies, relative to the root of the tree
	root    entries.Root

	objects objects // what this pass applies
	earlier objects // what the pass before it has applied; nil in the first one

	asked   map[need][]applied      // what was looked for, and found first, also what Flux skips
	guessed map[need]map[string]any // what counted first as an object that was not found; nil if nothing did
}

// ofChange reports whether a cluster is walked as a change of its base. What no cluster applies is
// read as it is written.
func (l *lookup) ofChange() bool { return l.isChange && !l.cluster.LeftOver }

// need is something in a cluster that was looked for, by its key.
type need struct{ cluster, key string }

// world is what all clusters of a tree share.
type world struct {
	index    *manifests.Index
	sources  *sources.Set
	coverage *manifests.Coverage
	urls     []string // the remotes of the repository

	controller func(cluster string, installed release.Controller) release.Controller // see [Options]

	leftovers bool // what no cluster applies is asked for

	isChange bool // the tree is a change of another one
	// evidence is what walks that skim look for of all that they leave out otherwise.
	evidence map[string]bool
}

// finder finds the entries of what is not covered yet.
func (w *world) finder() *entries.Finder {
	return &entries.Finder{Index: w.index, Coverage: w.coverage}
}

// known are the objects of all clusters, as far as they are known at this time: those of the
// pass before this one, which has seen all.
func (l *lookup) known() objects {
	if l.earlier != nil {
		return l.earlier
	}
	return l.objects
}

// find returns each content that a cluster has of an object by kind/namespace/name, and records
// that, so that the cluster is walked again when it turns out to be another one.
func (l *lookup) find(cluster, key string) []applied {
	n := need{cluster, key}
	if _, met := l.asked[n]; !met { // what was found first counts: later more may be known
		l.asked[n] = l.known()[cluster][key]
	}
	return l.known().present(cluster, key)
}

// object returns an object of a cluster by kind/namespace/name; nil if there is none.
func (l *lookup) object(cluster, key string) map[string]any {
	if found := l.find(cluster, key); len(found) > 0 {
		return found[0].object
	}
	return nil
}

// nearest returns an object of a cluster or, if there is none, the one in the tree whose
// file is nearest to the folder that the cluster's entry applies.
func (l *lookup) nearest(cluster string, ref sources.Reference) map[string]any {
	if found, ok := l.known().first(cluster, ref.String()); ok {
		return found.object
	}
	guess, n := l.index.Nearest(l.dir, ref.Kind, ref.Namespace, ref.Name), need{cluster, ref.String()}
	if _, met := l.guessed[n]; !met {
		l.guessed[n] = guess
	}
	return guess
}

// changed reports whether something that was looked for is not what was found.
func (l *lookup) changed() bool {
	for n, found := range l.asked {
		same := func(a, b applied) bool { return a.skipped == b.skipped && reflect.DeepEqual(a.object, b.object) }
		if !slices.EqualFunc(l.objects[n.cluster][n.key], found, same) {
			return true
		}
	}
	for n, guess := range l.guessed {
		if is, ok := l.objects.first(n.cluster, n.key); ok && (guess == nil || !sameContent(is.object, guess)) {
			return true
		}
	}
	return false
}

// idle reports whether nothing applies the cluster's entries and nobody asks for them:
// what they fail to build is not missing anywhere.
func (l *lookup) idle() bool { return l.cluster.LeftOver && !l.leftovers }

// broken records the files of a Kustomization that fails.
func (l *lookup) broken(k *entries.Kustomization, reason string) {
	if !l.idle() {
		l.coverage.Fail(k.Source, k.Walk(), reason, false, k.Inner)
	}
}

// id returns a key that is unique over all clusters of the walk.
func (l *lookup) id(k *entries.Kustomization) string { return l.cluster.Target(k) + " " + k.FullName() }

// fluxNamespace returns the namespace that Flux is installed in.
func (l *lookup) fluxNamespace() string {
	if l.cluster.Found == entries.Bootstrapped {
		return cmp.Or(object.Namespace(l.cluster.Entries[0].Object), "flux-system")
	}
	return "flux-system"
}

// appliersOf returns the Kustomizations that apply an object to a cluster, by id.
func (l *lookup) appliersOf(cluster string, obj map[string]any) map[string]*entries.Kustomization {
	out := map[string]*entries.Kustomization{}
	for _, a := range l.objects[cluster][keyOf(obj)] {
		for _, k := range a.appliers() {
			out[l.id(k)] = k
		}
	}
	return out
}

// appliedBy returns what a Kustomization, by its id, applies to a cluster, in order of the keys.
func (l *lookup) appliedBy(id, cluster string) (out []applied) {
	for _, key := range slices.Sorted(maps.Keys(l.objects[cluster])) {
		for _, a := range l.objects[cluster][key] {
			if a.by != nil && l.id(a.by) == id {
				out = append(out, a)
			}
		}
	}
	return out
}
