package fleet

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Options are the options of [Resolve].
type Options struct {
	// Sources are the contents of Flux sources, by Kind/namespace/name.
	Sources map[string]*tree.Tree
	// Below is the folder of the tree whose files are surveyed; "" is all of it.
	Below string
	// Declared are the clusters that the user declares.
	Declared []entries.Declared
	// Controller returns the helm-controller of a cluster by its name, given what the tree
	// installs there; nil if that is all that is known.
	Controller func(cluster string, installed release.Controller) release.Controller
	// Unapplied is true if what no cluster applies is asked for.
	Unapplied bool
	// Asked is what is asked for. Of other clusters it is only known what that has to do with them.
	Asked Asked
	// Base returns a cluster as it is in the tree that this one is a change of; nil if it
	// is not there. It is nil if the tree is no change.
	Base func(*entries.Cluster) *Resolved
	// Progress is called with what is being done; nil if nobody wants to know.
	Progress func(what string)
}

// Fleet is the result of following a tree: its clusters, and what none of them applies.
type Fleet struct {
	Index    *manifests.Index
	Survey   *manifests.Survey
	Clusters []*Resolved
	// Entered is true if the tree has the entry of a cluster. Then what no cluster
	// applies is left out by Flux, too; otherwise nothing is known of who applies it.
	Entered bool
	// Unapplied are the HelmReleases and ResourceSets that no cluster and no folder
	// applies, as they are written.
	Unapplied []manifests.Written
	// Undetermined are the remote resources and the releases that failed builds would
	// have applied.
	Undetermined []release.Undetermined
}

// Reads reports whether a Kustomization builds from a file of the tree.
func (f *Fleet) Reads(k *entries.Kustomization, name string) bool { return k.Reads(f.Index, name) }

// Folder returns the folder of the tree that a Kustomization builds; false if that is not
// in the tree.
func (f *Fleet) Folder(k *entries.Kustomization) (string, bool) {
	if k.Source == nil {
		return "", false
	}
	for _, name := range k.Files() {
		if own, ok := f.Index.Path(k.Source, name); ok && tree.Within(k.Dir, name) {
			return path.Clean(strings.TrimSuffix(own, strings.TrimPrefix(name, k.Dir))), true
		}
	}
	return "", false
}

// Between lists the files of the tree through which a Kustomization takes a file, from
// its own folder inwards.
func (f *Fleet) Between(k *entries.Kustomization, file string) []string {
	var out []string
	is := func(name string) bool { at := k.Source.Files().File(name); return at != nil && at.Name() == file }
	for _, kust := range k.Source.Above(k.Dir, k.Object, is) {
		if own, ok := f.Index.Path(k.Source, kust.Path); ok {
			out = append(out, own)
		}
	}
	return out
}

// Resolve follows a tree from its entries to all that is applied. It fails only
// when ctx is done.
func Resolve(ctx context.Context, x *manifests.Index, opts Options) (*Fleet, error) {
	files := x.Files
	at := func(revision, label string) (*tree.Tree, error) { return files.At(ctx, revision, label) }
	r := &resolver{
		world: &world{index: x, sources: sources.New(x, opts.Sources, at), coverage: manifests.NewCoverage(x), urls: files.Remotes(), controller: opts.Controller, leftovers: opts.Unapplied, isChange: opts.Base != nil, evidence: map[string]bool{}},
		base:  opts.Base, asked: opts.Asked, progress: opts.Progress,
	}
	r.declared = opts.Declared
	asked := func(name string) bool { return tree.Within(opts.Below, name) && !tree.Hidden(name) }
	f := &Fleet{Index: x, Survey: manifests.NewSurvey(x, r.finder().PatchFiles(), asked)}
	clusters, err := r.all(ctx)
	if err != nil {
		return nil, err
	}
	f.Clusters, f.Entered = clusters, r.entered()
	f.Undetermined = r.coverage.Remotes
	f.addUnbuilt(r.world)
	return f, nil
}

// AsWritten returns the releases of a tree as they are written, with no clusters. It is
// for files that were named one by one, whatever their names.
func AsWritten(files *tree.Tree, builder *build.Builder) *Fleet {
	x := manifests.NewIndex(files, builder)
	f := &Fleet{Index: x, Survey: manifests.SurveyAll(x)}
	for _, name := range files.Paths() {
		f.Unapplied = append(f.Unapplied, f.Survey.Releases[name]...)
	}
	return f
}

// addUnbuilt adds the HelmReleases that no build has read. Those that a failed build
// would have read are undetermined, like those that a ResourceSet would render; the
// others are unapplied. Files that source-controller does not pack are left out, and beside
// clusters the examples of rules.
func (f *Fleet) addUnbuilt(w *world) {
	packed := w.index.Packed("").Files()
	for _, name := range slices.Sorted(maps.Keys(f.Survey.Releases)) {
		if w.coverage.Consumed[name] || packed.File(name) == nil || f.Entered && manifests.IsExample(w.index.Files, name) {
			continue
		}
		for _, written := range f.Survey.Releases[name] {
			if reason := w.coverage.Broken[name]; reason != "" && !w.coverage.Beside[name] {
				f.Undetermined = append(f.Undetermined, written.Undetermined(reason))
				continue
			}
			f.Unapplied = append(f.Unapplied, written)
		}
	}
}

// Secrets returns what Secrets supply anywhere in the clusters, in all forms.
func (f *Fleet) Secrets() variables.Secrets {
	out := f.Copied()
	for _, c := range f.Clusters {
		for _, k := range c.pass.applied {
			out = append(out, k.Variables.Secrets()...)
		}
	}
	return out.Forms()
}

// Copied returns what builds copy from Secrets into other objects, anywhere in the clusters.
func (f *Fleet) Copied() variables.Secrets {
	var out variables.Secrets
	for _, c := range f.Clusters {
		out = append(out, c.pass.copied...)
	}
	return out
}

// ByHand returns what is known of the cluster of releases that nothing applies: it has the
// definition of HelmRelease of a tree in which there is no entry of a cluster.
func (f *Fleet) ByHand() (out controllers.Installation) {
	if found, from, note := f.Index.Definition(object.HelmReleases); !f.Entered {
		definedBy(&out, f.Index, found, from, note)
	}
	return out
}
