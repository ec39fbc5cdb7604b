package fleet

import (
	"context"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Options say what is looked at.
type Options struct {
	// Builder is shared by all that is resolved in one run.
	Builder *build.Builder
	// Sources are the contents of Flux sources, by Kind/namespace/name.
	Sources map[string]*tree.Tree
	// Below is the folder of the tree whose files are surveyed; "" is all of it.
	Below string
	// Progress is told what is being done.
	Progress func(what string)
}

// Fleet is what the entries of a tree lead to.
type Fleet struct {
	Index    *Index
	Survey   *Survey
	Clusters []*Resolved
	// Unapplied are the HelmReleases that nothing applies, as they are written.
	Unapplied []Written
	// Undetermined are what would have to be fetched, and the releases that a
	// build which failed would have applied.
	Undetermined []release.Undetermined
}

// Resolved is a cluster with what is applied to it.
type Resolved struct {
	*Cluster
	// Dir is the folder that the entry applies, and Root the one that its paths
	// are relative to.
	Dir, Root string
	Releases  []Applied
	Failed    []release.Undetermined

	pass *pass
}

// Controller returns the helm-controller of the cluster of a name: the entry's
// own or a remote one.
func (r *Resolved) Controller(cluster string) release.Controller {
	return controllerIn(r.pass.lookup, cluster)
}

// Object returns an object of the cluster of a name by kind/namespace/name; nil
// if it has none.
func (r *Resolved) Object(cluster, key string) map[string]any {
	return r.pass.objects[cluster][key].object
}

// DefinedBy returns what applies the object that a reference names; nil if that
// is not known.
func (r *Resolved) DefinedBy(k *Kustomization, ref *build.Reference) *Kustomization {
	return r.pass.objects[r.host(k)][ref.Kind+"/"+ref.Namespace+"/"+ref.Name].by
}

// Reads reports whether a Kustomization builds from a file of the tree.
func (f *Fleet) Reads(k *Kustomization, name string) bool { return k.reads(f.Index, name) }

// Resolve follows a tree from its entries to all that is applied. It fails only
// when ctx is done.
func Resolve(ctx context.Context, files *tree.Tree, opts Options) (*Fleet, error) {
	x := NewIndex(files, opts.Builder)
	r := &resolver{
		world:    &world{index: x, sources: newSources(x, opts.Sources), coverage: newCoverage(x), urls: files.Remotes()},
		progress: opts.Progress,
	}
	f := &Fleet{Index: x, Survey: survey(x, func(name string) bool { return within(opts.Below, name) && !hidden(name) })}
	clusters, err := r.all(ctx)
	if err != nil {
		return nil, err
	}
	f.Clusters = clusters
	f.Undetermined = r.coverage.remotes
	f.rest(r.world)
	return f, nil
}

// AsWritten takes a tree for what it holds, with no clusters: files that were
// named one by one, whatever their names.
func AsWritten(files *tree.Tree, builder *build.Builder) *Fleet {
	x := NewIndex(files, builder)
	f := &Fleet{Index: x, Survey: &Survey{Releases: map[string][]Written{}}}
	for _, name := range files.Paths() {
		f.Survey.file(x, name)
		for _, w := range f.Survey.Releases[name] {
			f.unapplied(w)
		}
	}
	return f
}

// rest takes the HelmReleases that nothing has built: those of a build that
// failed are undetermined, as is what a ResourceSet would render; the others
// are as they are written. What source-controller leaves out reaches no cluster.
func (f *Fleet) rest(w *world) {
	packed := w.sources.tree("").Files()
	for _, name := range sortedKeys(f.Survey.Releases) {
		if w.coverage.consumed[name] || packed.File(name) == nil {
			continue
		}
		for _, written := range f.Survey.Releases[name] {
			if reason := w.coverage.broken[name]; reason != "" {
				f.Undetermined = append(f.Undetermined, written.undetermined(reason))
				continue
			}
			f.unapplied(written)
		}
	}
}

func (f *Fleet) unapplied(w Written) {
	if object.IsResourceSet(w.Object) {
		f.Undetermined = append(f.Undetermined, w.undetermined("nothing in the tree applies it, so what it renders is not known"))
		return
	}
	f.Unapplied = append(f.Unapplied, w)
}
