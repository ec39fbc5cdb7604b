package fleet

import (
	"cmp"
	"reflect"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
)

// results are what a walk finds beside the objects.
type results struct {
	*lookup
	releases    []Applied
	failed      []release.Undetermined
	unbuilt     []Unbuilt
	entered     bool // a Kustomization builds a folder, or something that is not in the tree
	selfApplied bool // a folder holds the Kustomization that applies it
	leaves      bool // Flux leaves something as it is on the cluster
	full        bool // there are more Kustomizations than are followed
	unrendered  bool // a ResourceSet that is not rendered may hold Alerts
	mayRender   bool // one may hold HelmReleases or Kustomizations
}

// fail records that a Kustomization could not be followed, for the cluster that it
// applies to.
func (r *results) fail(k *entries.Kustomization, reason string) {
	r.failed = append(r.failed, release.Undetermined{
		File: k.File, Line: k.Line, Cluster: r.cluster.Target(k),
		Reason: k.WithoutSecrets(k.Called() + " " + variables.Unmark(reason)),
	})
}

// failShown records that what Flux makes of a Kustomization is not known, although the tree shows all of it.
func (r *results) failShown(k *entries.Kustomization, reason string) {
	r.fail(k, reason)
	r.failed[len(r.failed)-1].Shown = true
}

// undetermined records that something is not known of an object that a Kustomization applies.
func (r *results) undetermined(k *entries.Kustomization, obj map[string]any, reason string) {
	file, line := r.index.Place(obj)
	if file == "" {
		file, line = k.File, k.Line
	}
	r.failed = append(r.failed, release.Undetermined{
		File: file, Line: line, Cluster: r.cluster.Target(k),
		Reason: variables.Unmark(object.Called(obj) + ": " + strings.Join(strings.Fields(reason), " ")),
	})
}

// loseLabels takes the labels from an object that Flux applies without them, and says so of a release.
func (r *results) loseLabels(k *entries.Kustomization, obj map[string]any) {
	if key := object.LoseLabels(obj); key != "" && object.IsHelmRelease(obj) {
		r.undetermined(k, obj, "its label "+key+" is no text, so Flux loses all of its labels: put the value in quotes; it is judged without them")
	}
}

// doubtful records what a successful build left out.
func (r *results) doubtful(k *entries.Kustomization, out *build.Result) {
	for _, text := range out.Foreign {
		r.fail(k, text)
	}
	if !k.Folder {
		for _, text := range out.Lacking {
			r.fail(k, text)
		}
	}
	for _, id := range out.SetAside {
		if kind, _, _ := strings.Cut(id, "."); object.Traced(kind) {
			r.fail(k, "patches "+id+", which is not in the tree: the patch is set aside")
		}
	}
}

// mixed records that a source takes more into the folder of a Kustomization than the tree
// holds: other repositories, or submodules.
func (r *results) mixed(k *entries.Kustomization) {
	source := r.nearest(r.cluster.Host(k), sources.Ref(k.Object))
	if k.Folder || !k.Source.Own || source == nil {
		return
	}
	touches := func(at string) bool { return tree.Within(at, k.Dir) || tree.Within(k.Dir, at) }
	include, _ := object.At(source, "spec", "include").([]any)
	for _, item := range include {
		at := cmp.Or(object.String(item, "toPath"), object.String(item, "repository", "name"))
		if touches(object.CleanPath(at)) {
			r.fail(k, "has in "+at+" what its source includes from another repository, which is not in the tree")
		}
	}
	for _, module := range r.index.Submodules() {
		if object.At(source, "spec", "recurseSubmodules") == true && tree.Within(r.root.Dir, module) && touches(strings.TrimPrefix(module, r.root.Dir+"/")) {
			r.fail(k, "has in "+module+" a submodule, which is not in the tree")
		}
	}
}

// follows reports whether an object that a ResourceSet renders is kept, and records it as
// seen. A nested ResourceSet that may render objects of Flux, and an object that is
// rendered twice with different settings, are undetermined.
func (r *results) follows(k *entries.Kustomization, set, obj map[string]any, seen map[string]map[string]any) bool {
	if object.IsResourceSet(obj) && build.MayRender(obj) {
		r.undetermined(k, set, "it renders "+object.FullName(obj)+", another ResourceSet")
	}
	kind, _ := obj["kind"].(string)
	id := kind + "/" + object.FullName(obj)
	if first := seen[id]; first != nil {
		if object.IsTraced(obj) && !reflect.DeepEqual(first["spec"], obj["spec"]) {
			r.undetermined(k, set, "it renders "+id+" twice, with different settings")
		}
		return false
	}
	if !object.Known(obj) || object.IsResourceSet(obj) {
		return false
	}
	seen[id] = obj
	return true
}

// hides reports whether what is undetermined hides what the tree has.
func hides(u release.Undetermined) bool { return !u.Shown }
