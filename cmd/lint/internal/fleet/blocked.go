package fleet

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// blocked is a Kustomization of which an object uses a variable that nothing defines.
type blocked struct {
	by   *entries.Kustomization
	what string
}

// undefined are the Kustomizations with such an object.
type undefined []blocked

// note records the first variable of a Kustomization that has neither a value nor
// a default.
func (u *undefined) note(k *entries.Kustomization, obj map[string]any, reasons map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		if reasons[name] == variables.Undefined {
			u.add(k, fmt.Sprintf("%v %s", obj["kind"], object.FullName(obj)), name)
			return
		}
	}
}

// notePassedOver records the undefined variables of objects that the build does not keep.
func (u *undefined) notePassedOver(k *entries.Kustomization, objects []resource.PassedOver) {
	for _, obj := range objects {
		if name := k.Variables.Undefined(obj.Needs); name != "" {
			u.add(k, obj.What, name)
		}
	}
}

// unsubstituted says in which objects variables cannot be substituted, and reports whether Flux
// applies nothing of the Kustomization for one of them. That is not sure where a value is unknown.
// Source: build in kustomization_controller.go of kustomize-controller.
func (r *results) unsubstituted(k *entries.Kustomization, out *build.Result, minds func(*resource.Resource) bool) (blocked bool) {
	objects := out.Under(&k.Variables)
	for i, res := range out.Resources {
		if !minds(res) {
			continue
		}
		if _, reasons, err := objects.Object(i); err != nil {
			r.fail(k, cmp.Or(without(res, reasons), fmt.Sprintf("has in %s %s: %s", res.Kind, res.Name, k.Told(err))))
			blocked = blocked || len(reasons) == 0
		}
	}
	for _, obj := range out.PassedOver {
		if k.Variables.On && obj.Err != nil {
			r.fail(k, fmt.Sprintf("has in %s: %s", obj.What, k.Told(obj.Err)))
			blocked = true
		}
	}
	if blocked {
		r.broken(k, "Kustomization "+k.FullName()+" cannot substitute its variables, and then Flux applies nothing of it")
	}
	return blocked
}

// without says which variables an object cannot be read without; "" if all are known.
func without(res *resource.Resource, reasons map[string]string) string {
	if len(reasons) == 0 {
		return ""
	}
	names := slices.Sorted(maps.Keys(reasons))
	return fmt.Sprintf("has %s %s, which cannot be read without the value of ${%s}: %s", res.Kind, res.Name, strings.Join(names, "} and ${"), reasons[names[0]])
}

// add records what uses an undefined variable, the first for each Kustomization.
func (u *undefined) add(k *entries.Kustomization, object, name string) {
	if !slices.ContainsFunc(*u, func(b blocked) bool { return b.by == k }) {
		*u = append(*u, blocked{k, fmt.Sprintf("%s uses ${%s}, which has no value and no default", object, name)})
	}
}

// fail says which Kustomizations Flux applies nothing of. Since kustomize-controller
// 1.9, which comes with helm-controller 1.6, one undefined variable fails all of it.
// Source: github.com/fluxcd/kustomize-controller, internal/features, StrictPostBuildSubstitutions.
func (u undefined) fail(f *flux, r *results) {
	for _, b := range u {
		strict, known := f.strict(f.cluster.Host(b.by))
		if !known {
			f.remark(b, strict)
		}
		if strict == "" || !known {
			continue
		}
		b.by.Blocked = b.by.WithoutSecrets("because " + variables.Unmark(b.what))
		n := 0
		for _, applied := range r.releases {
			if applied.By == b.by {
				n++
			}
		}
		releases := fmt.Sprintf("%d releases", n)
		if n == 1 {
			releases = "1 release"
		}
		r.failShown(b.by, fmt.Sprintf("is blocked, with %s: %s, and %s then apply nothing of it", releases, b.what, strict))
	}
}

// remark notes of what is blocked only by a version that is not known to run.
func (f *flux) remark(b blocked, strict string) {
	target := f.cluster.Target(b.by)
	f.remarks[target] = append(f.remarks[target], b.by.WithoutSecrets(variables.Unmark(fmt.Sprintf(
		"%s: %s would apply nothing of Kustomization %s, and it is not known whether it runs", b.what, strict, b.by.FullName()))))
}
