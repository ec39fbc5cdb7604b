package fleet

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/agnivade/levenshtein"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// waiting are the Kustomizations of a cluster, of which some wait for others.
type waiting struct {
	byName map[string]*Kustomization
	// why says which dependency Flux waits for forever before it applies one; empty if there is none.
	why map[*Kustomization]string
	// added reports whether one was not there before a change.
	added func(*Kustomization) bool
}

// failWaiting says which Kustomizations Flux never applies, because what they depend on is not
// there or waits itself. That is only known of a cluster that the tree describes and shows all of.
// Source: checkDependencies in internal/controller/kustomization_controller.go of kustomize-controller.
func (p *pass) failWaiting() {
	if !p.whole() {
		return
	}
	w := waiting{byName: map[string]*Kustomization{}, why: map[*Kustomization]string{}}
	w.added = func(k *Kustomization) bool { return p.before != nil && p.before.applied[p.id(k)] == nil }
	for _, k := range p.applied {
		if p.cluster.host(k) == p.cluster.Name {
			w.byName[k.FullName()] = k
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.byName)) {
		if why := w.reason(w.byName[name]); why != "" {
			p.fail(w.byName[name], why)
		}
	}
}

// whole reports whether the tree describes the cluster and shows all that is applied to it.
func (p *pass) whole() bool {
	return p.cluster.described() && len(p.failed) == 0 &&
		!slices.ContainsFunc(slices.Collect(maps.Values(p.applied)), func(k *Kustomization) bool { return k.Source != nil && len(k.walk().Remotes) > 0 })
}

// reason says which dependency Flux waits for forever; empty if there is none. A suspended Kustomization
// waits for none, and may have been applied before.
func (w *waiting) reason(k *Kustomization) string {
	if why, known := w.why[k]; known {
		return why
	}
	w.why[k] = "waits for itself" // if it is met again before the reason is known
	why := ""
	all, _ := object.At(k.Object, "spec", "dependsOn").([]any)
	for i := 0; i < len(all) && why == "" && object.At(k.Object, "spec", "suspend") != true; i++ {
		why = w.unready(referenceOf(all[i], k.Object), object.String(all[i], "readyExpr") != "")
	}
	w.why[k] = why
	return why
}

// near names a Kustomization whose name is nearly another one, or the same in another namespace; empty if none is.
func (w *waiting) near(name string) string {
	for _, known := range slices.Sorted(maps.Keys(w.byName)) {
		if path.Base(known) == path.Base(name) || levenshtein.ComputeDistance(known, name) <= 2 {
			return fmt.Sprintf(" (did you mean %s?)", known)
		}
	}
	return ""
}

// unready returns what is wrong with a dependency. One with an expression for its readiness may
// be ready before it is applied.
func (w *waiting) unready(on reference, byExpression bool) string {
	name := object.FullName(map[string]any{"metadata": map[string]any{"namespace": on.namespace, "name": on.name}})
	if build.VariableUse().MatchString(build.Unmark(name)) {
		return ""
	}
	text := fmt.Sprintf("waits for Kustomization %s (dependsOn), which ", name)
	switch k := w.byName[name]; {
	case k == nil:
		return text + "nothing in the tree applies to this cluster" + w.near(name) + ": until something does, Flux applies nothing of it"
	case !byExpression && object.At(k.Object, "spec", "suspend") == true && w.added(k):
		return text + "is suspended and was never applied: until it is, Flux applies nothing of it"
	case !byExpression && w.reason(k) != "":
		return text + "never becomes ready: Flux applies nothing of it"
	}
	return ""
}
