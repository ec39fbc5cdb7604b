package fleet

import (
	"fmt"
	"path"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/pkg/release"
)

// lookup finds the objects and sources that a pass needs, and records what is missing.
type lookup struct {
	*world
	cluster *Cluster
	dir     string // the folder that the entry applies, relative to the root of the tree
	root    root

	objects objects // the known objects, also those of earlier passes

	made map[need]*build.Source // by ArtifactGenerators; nil while one is being made

	missing   map[need]bool   // objects that were not found
	assumed   map[string]bool // files whose objects are assumed to be applied by hand
	generator bool            // an ArtifactGenerator was not found
}

// need is something in a cluster that was looked for, by its key.
type need struct{ cluster, key string }

// world is what all clusters of a tree share.
type world struct {
	index    *Index
	sources  *sources
	coverage *coverage
	urls     []string // the remotes of the repository

	controller func(cluster string, installed release.Controller) release.Controller // see [Options]

	leftovers bool // what no cluster applies is asked for
}

// object returns an object of a cluster by kind/namespace/name. If there is none it
// returns nil and records that, so that the cluster is walked again when it turns up.
func (l *lookup) object(cluster, key string) map[string]any {
	found := l.objects[cluster][key].object
	if found == nil {
		l.missing[need{cluster, key}] = true
	}
	return found
}

// nearest returns an object of a cluster or, if there is none, the one in the tree whose
// file is nearest to the folder that the cluster's entry applies.
func (l *lookup) nearest(cluster string, ref reference) map[string]any {
	if found := l.object(cluster, ref.String()); found != nil {
		return found
	}
	return l.index.nearest(l.dir, ref.kind, ref.namespace, ref.name)
}

// variables returns the variables that spec.postBuild of a Kustomization defines.
func (l *lookup) variables(k *Kustomization) build.Variables {
	references := build.References(k.Object)
	for i := range references {
		l.resolve(l.cluster.host(k), &references[i])
	}
	return build.VariablesOf(k.Object, references)
}

// resolve sets the object of a reference to a ConfigMap or Secret: the one in the cluster
// or else, if there is exactly one, the one in the tree that may be applied by hand.
// Otherwise it sets the reason: variables are not guessed.
func (l *lookup) resolve(cluster string, r *build.Reference) {
	if r.Object = l.object(cluster, r.Kind+"/"+r.Namespace+"/"+r.Name); r.Object != nil {
		return
	}
	written := l.index.Named(r.Kind, r.Namespace, r.Name)
	byHand := slices.DeleteFunc(slices.Clone(written), func(w Written) bool { return !l.byHand(cluster, w.Path) })
	switch {
	case len(written) == 0:
		r.Missing = "is not in the tree"
	case len(byHand) == 1:
		l.assumed[byHand[0].Path] = true
		r.Object = byHand[0].Object
	case len(byHand) > 1:
		r.Missing = fmt.Sprintf("may be that of %s or that of %s: nothing in the tree applies them", byHand[0].Path, byHand[1].Path)
	default:
		r.Missing = "is in " + written[0].Path + ", but not in what is applied to this cluster"
	}
}

// byHand reports whether the objects of a file may be in a cluster although nothing in
// the tree applies them. If it is not known what applies the cluster's entries, only
// files beside or below them count.
func (l *lookup) byHand(cluster, name string) bool {
	if cluster != l.cluster.Name || l.cluster.Unapplied() || l.coverage.settled(name) || hidden(name) {
		return false
	}
	if l.cluster.found == unknownApplier {
		return within(l.dir, path.Dir(name))
	}
	return !l.foreign(name)
}

// foreign reports whether a file is in the folder of another cluster.
func (l *lookup) foreign(name string) bool {
	own := *l.cluster
	own.Dir = l.dir
	return own.foreign(name)
}

// turnedUp reports whether an object that was missing is there now.
func (l *lookup) turnedUp() bool {
	for n := range l.missing {
		if l.objects[n.cluster][n.key].object != nil {
			return true
		}
	}
	return false
}

// outdated reports whether a build has since read a file whose objects were assumed to be
// applied by hand.
func (l *lookup) outdated() bool {
	for name := range l.assumed {
		if l.coverage.settled(name) {
			return true
		}
	}
	return false
}
