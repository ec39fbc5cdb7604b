package fleet

import (
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

// blocked is a Kustomization of which an object uses a variable that nothing defines or, without a variable, is
// encrypted.
type blocked struct {
	by             *entries.Kustomization
	variable, what string
}

// undefined are the Kustomizations with such an object, once for each variable.
type undefined []blocked

// note records the variables of an object that have neither a value nor a default.
func (u *undefined) note(k *entries.Kustomization, obj map[string]any, reasons map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		if reasons[name] == variables.Undefined {
			u.add(k, fmt.Sprintf("%v %s", obj["kind"], object.FullName(obj)), name)
		}
	}
}

// notePassedOver records the undefined variables of objects that the build does not keep.
func (u *undefined) notePassedOver(k *entries.Kustomization, objects []resource.PassedOver) {
	for _, obj := range objects {
		for _, name := range obj.Needs {
			if k.Variables.Undefined(name) {
				u.add(k, obj.What, name)
			}
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
			if needs := without(res, reasons); needs != "" {
				r.fail(k, needs)
			} else {
				r.failUnread(k, fmt.Sprintf("has in %s %s: ", res.Kind, res.Name), k.Told(err))
			}
			blocked = blocked || len(reasons) == 0
		}
	}
	for _, obj := range out.PassedOver {
		if k.Variables.On && obj.Err != nil {
			r.failUnread(k, fmt.Sprintf("has in %s: ", obj.What), k.Told(obj.Err))
			blocked = true
		}
	}
	if blocked {
		r.broken(k, k.Called()+" cannot substitute its variables, and then Flux applies nothing of it")
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

// add records what uses an undefined variable, the first for each variable of a Kustomization.
func (u *undefined) add(k *entries.Kustomization, object, name string) {
	if !slices.ContainsFunc(*u, func(b blocked) bool { return b.by == k && b.variable == name }) {
		*u = append(*u, blocked{k, name, fmt.Sprintf("%s uses ${%s}, which has no value and no default", object, name)})
	}
}

// fail says which Kustomizations Flux applies nothing of. Since kustomize-controller
// 1.9, which comes with helm-controller 1.6, one undefined variable fails all of it. Before that it is
// empty: what a change leaves without a value is wrong with each version.
// Source: github.com/fluxcd/kustomize-controller, internal/features, StrictPostBuildSubstitutions.
func (u undefined) fail(f *flux, r *results, before *trail) {
	for i, b := range u {
		if slices.ContainsFunc(u[:i], func(first blocked) bool { return first.by == b.by }) {
			continue
		}
		strict, known := "all versions of kustomize-controller", true
		if b.variable != "" {
			strict, known = f.strict(f.cluster.Host(b.by))
		}
		lost := slices.IndexFunc(u, func(other blocked) bool { return other.by == b.by && other.lost(before) })
		switch {
		case !known && lost >= 0:
			r.failShown(b.by, fmt.Sprintf("may be blocked: %s since the change: %s apply nothing of it, and older ones leave the variable empty", u[lost].what, strict))
		case !known:
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

// lost reports whether what blocks did not before a change: the variable had a value, or may have had one.
func (b blocked) lost(before *trail) bool {
	if before == nil {
		return false
	}
	was := before.applied[before.id(b.by)]
	if was == nil || b.variable == "" {
		return was != nil && was.Blocked == ""
	}
	return !was.Variables.Undefined(b.variable)
}

// remark notes of what is blocked only by a version that is not known to run.
func (f *flux) remark(b blocked, strict string) {
	target := f.cluster.Target(b.by)
	f.remarks[target] = append(f.remarks[target], b.by.WithoutSecrets(variables.Unmark(fmt.Sprintf(
		"%s: %s would apply nothing of Kustomization %s, and it is not known whether it runs", b.what, strict, b.by.FullName()))))
}
