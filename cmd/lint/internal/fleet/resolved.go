package fleet

import (
	"cmp"
	"io/fs"
	"maps"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Resolved is a cluster with everything that is applied to it.
type Resolved struct {
	*entries.Cluster
	// Dir is the folder that the entry applies, and Root the one that its paths
	// are relative to.
	Dir, Root string
	Releases  []Applied
	Failed    []release.Undetermined
	Unbuilt   []Unbuilt
	// Skimmed is true if it has nothing to do with what is asked for: then only its Kustomizations are known.
	Skimmed bool

	pass   *pass
	orders cores.Once[comparedTo, order]
}

// Workers returns how many Kustomizations the kustomize-controller of a cluster works on at the same time; zero if the
// tree does not say it, negative if the size of a FluxInstance says it, which its operator knows.
func (r *Resolved) Workers(cluster string) int {
	n := r.pass.installation(cluster).Workers
	for _, a := range r.pass.installers[cluster] {
		if r.pass.isController(a.object, controllers.Kustomize) {
			n = controllers.WorkersOf(a.object, release.DefaultWorkers)
		}
	}
	return n
}

// Installation returns the helm-controller of a cluster by its name: the one of the entry,
// or a remote one.
func (r *Resolved) Installation(cluster string) controllers.Installation {
	out := r.pass.installation(cluster)
	r.pass.define(cluster, &out)
	for i := range out.Shards {
		out.Shards[i].Controller.Schema = out.Controller.Schema
	}
	for _, a := range r.pass.installers[cluster] {
		if r.pass.isController(a.object, controllers.Kustomize) || r.pass.isController(a.object, controllers.Source) {
			out.Notes = append(out.Notes, controllers.GateNotes(a.object)...)
		}
	}
	return out
}

// Entered reports whether it has an entry that Flux would build something from, and is no leftover.
func (r *Resolved) Entered() bool { return r.pass.entered && !r.LeftOver }

// Unapplied reports whether a part of it is a folder that nothing in the tree applies, so
// that the variables in it are not known.
func (r *Resolved) Unapplied() bool { return r.Cluster.Unapplied() && !r.pass.selfApplied }

// Object returns an object by the name of its cluster and by kind/namespace/name; nil if
// there is none.
func (r *Resolved) Object(cluster, key string) map[string]any {
	found, _ := r.pass.objects.first(cluster, key)
	return found.object
}

// DefinedBy returns the Kustomization that applies the object of a reference; nil if
// that is not known.
func (r *Resolved) DefinedBy(k *entries.Kustomization, ref *variables.Reference) *entries.Kustomization {
	for _, a := range r.pass.objects.present(r.Host(k), ref.Kind+"/"+ref.Namespace+"/"+ref.Name) {
		if reflect.DeepEqual(a.object, ref.Object) {
			return a.by
		}
	}
	return nil
}

// Installations returns the helm-controllers that a cluster may have, by its name: several, if
// several Kustomizations apply what installs it with different content, or if a change of it may not take
// effect, and those beside it, such as shards.
func (r *Resolved) Installations(cluster string) []controllers.Installation {
	first := r.Installation(cluster)
	out := append([]controllers.Installation{first}, first.Shards...)
	if written := r.pass.installed(cluster); r.pass.flux.before != nil && written.Stopped == "" && !written.SameAs(first) {
		r.pass.define(cluster, &written)
		out = append(append(out, written), written.Shards...)
	}
	for _, key := range r.pass.controllerKeys() {
		writers := r.pass.objects.present(cluster, key)
		for _, a := range writers {
			found := r.pass.installationOf(cluster, a)
			if len(writers) > 1 && !slices.ContainsFunc(out, func(i controllers.Installation) bool { return i.SameAs(found) }) {
				out = append(append(out, found), found.Shards...)
			}
		}
	}
	return append(out, r.pass.shards(cluster)...)
}

// Whole reports whether the tree describes the cluster and shows all that is applied to it: what is not found
// is not there, as far as Flux goes.
func (r *Resolved) Whole() bool { return r.pass.whole() }

// DependsOnBase reports whether something on the cluster is as it was before a change, given the
// cluster at that time, or nil: what Flux leaves as it is, what it may not be able to apply, and what
// somebody has applied by hand.
func (r *Resolved) DependsOnBase(before *Resolved) bool {
	if r.pass.leaves || len(r.pass.assumed)+len(r.pass.believed) > 0 {
		return true
	}
	return before != nil && changes(r.pass, before.pass)
}

// Kustomizations returns those that live in a cluster by its name, in order of their names: what its
// kustomize-controller works on.
func (r *Resolved) Kustomizations(cluster string) []*entries.Kustomization {
	var out []*entries.Kustomization
	for _, id := range slices.Sorted(maps.Keys(r.pass.applied)) {
		if k := r.pass.applied[id]; !k.Folder && r.Host(k) == cluster {
			out = append(out, k)
		}
	}
	return out
}

// Current returns a Kustomization as it is now, if what it applied before a change stays.
func (r *Resolved) Current(k *entries.Kustomization) *entries.Kustomization {
	return cmp.Or(r.pass.applied[r.pass.id(k)], k)
}

// Appliers returns what applies a Kustomization, as that is now; nil among it is what is outside of the tree.
func (r *Resolved) Appliers(k *entries.Kustomization) []*entries.Kustomization {
	var out []*entries.Kustomization
	for _, by := range r.pass.appliers[r.pass.id(k)] {
		if by != nil {
			by = r.Current(by)
		}
		if !slices.Contains(out, by) {
			out = append(out, by)
		}
	}
	return out
}

// Written returns an object by the name of its cluster and by kind/namespace/name, whether Flux applies it or leaves it as
// it is; nil if there is none, or several that differ.
func (r *Resolved) Written(cluster, key string) map[string]any {
	if all := r.pass.objects[cluster][key]; len(all) == 1 {
		return all[0].object
	}
	return nil
}

// Content returns the files of a source of a cluster, by its name: one that is this repository, or
// that the user maps to a folder.
func (r *Resolved) Content(cluster, kind, namespace, name string) (fs.FS, error) {
	source, err := r.pass.source(cluster, sources.Reference{Kind: kind, Namespace: namespace, Name: name})
	if err != nil {
		return nil, err
	}
	if source.Own {
		source = r.pass.sources.From(source, r.pass.root.Dir)
	}
	return source.Files(), nil
}

// changes reports whether something on a cluster is as it was before a change, given the cluster at that time: what
// Flux may not be able to apply, and what it leaves behind.
func changes(now, before *pass) bool {
	if bars(before.objects, now.objects) || reinstalls(now.flux, before.flux) || len(waitingIn(now, before.trail)) > 0 {
		return true
	}
	if slices.ContainsFunc(now.undefined, func(b blocked) bool { return b.lost(before.trail) }) {
		return true
	}
	for id, k := range now.applied {
		if unsure(before.applied[id], k) {
			return true
		}
	}
	return slices.ContainsFunc(slices.Collect(maps.Values(before.applied)), func(k *entries.Kustomization) bool { return len(orphans(now.trail, before.trail, k)) > 0 })
}

// Reads returns the files that the builds of the cluster read, and those of its Kustomizations, by their names for people.
func (r *Resolved) Reads() []string {
	var out []string
	for _, k := range r.pass.applied {
		out = append(out, k.File)
		if k.Source == nil {
			continue
		}
		walk, index := k.Walk(), r.pass.index
		for _, name := range slices.Concat(walk.Files, walk.Parts) {
			if own, ok := index.Path(k.Source, name); ok {
				out = append(out, index.Files.Name(own))
			}
		}
	}
	return out
}
