package fleet

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// blocked is a Kustomization of which an object uses a variable that nothing defines.
type blocked struct {
	by   *entries.Kustomization
	what string
}

// noteUndefined records the first variable of a Kustomization that has neither a value nor
// a default.
func (p *pass) noteUndefined(k *entries.Kustomization, obj map[string]any, reasons map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		if reasons[name] == build.Undefined {
			p.noteBlocked(k, fmt.Sprintf("%v %s", obj["kind"], object.FullName(obj)), name)
			return
		}
	}
}

// notePassedOver records the undefined variables of objects that the build does not keep.
func (p *pass) notePassedOver(k *entries.Kustomization, objects []build.PassedOver) {
	for _, obj := range objects {
		if name := k.Variables.Undefined(obj); name != "" {
			p.noteBlocked(k, obj.What, name)
		}
	}
}

// unsubstituted says in which objects variables cannot be substituted, and reports whether Flux
// applies nothing of the Kustomization for one of them. That is not sure where a value is unknown.
// Source: build in kustomization_controller.go of kustomize-controller.
func (p *pass) unsubstituted(k *entries.Kustomization, out *build.Result) (blocked bool) {
	objects := out.Under(&k.Variables)
	for i, res := range out.Resources {
		if !p.minds(res) {
			continue
		}
		if _, reasons, err := objects.Object(i); err != nil {
			p.fail(k, cmp.Or(without(res, reasons), fmt.Sprintf("has in %s %s: %s", res.Kind, res.Name, k.Told(err))))
			blocked = blocked || len(reasons) == 0
		}
	}
	for _, obj := range out.PassedOver {
		if k.Variables.On && obj.Err != nil {
			p.fail(k, fmt.Sprintf("has in %s: %s", obj.What, k.Told(obj.Err)))
			blocked = true
		}
	}
	if blocked {
		p.broken(k, "Kustomization "+k.FullName()+" cannot substitute its variables, and then Flux applies nothing of it")
	}
	return blocked
}

// without says which variables an object cannot be read without; "" if all are known.
func without(res *build.Resource, reasons map[string]string) string {
	if len(reasons) == 0 {
		return ""
	}
	names := slices.Sorted(maps.Keys(reasons))
	return fmt.Sprintf("has %s %s, which cannot be read without the value of ${%s}: %s", res.Kind, res.Name, strings.Join(names, "} and ${"), reasons[names[0]])
}

// noteBlocked records what uses an undefined variable, the first for each Kustomization.
func (p *pass) noteBlocked(k *entries.Kustomization, object, name string) {
	if !slices.ContainsFunc(p.blocked, func(b blocked) bool { return b.by == k }) {
		p.blocked = append(p.blocked, blocked{k, fmt.Sprintf("%s uses ${%s}, which has no value and no default", object, name)})
	}
}

// failBlocked says which Kustomizations Flux applies nothing of. Since kustomize-controller
// 1.9, which comes with helm-controller 1.6, one undefined variable fails all of it.
// Source: github.com/fluxcd/kustomize-controller, internal/features, StrictPostBuildSubstitutions.
func (p *pass) failBlocked() {
	for _, b := range p.blocked {
		strict, known := p.strict(p.cluster.Host(b.by))
		if !known {
			p.remark(b, strict)
		}
		if strict == "" || !known {
			continue
		}
		b.by.Blocked = b.by.WithoutSecrets("because " + build.Unmark(b.what))
		n := 0
		for _, r := range p.releases {
			if r.By == b.by {
				n++
			}
		}
		releases := fmt.Sprintf("%d releases", n)
		if n == 1 {
			releases = "1 release"
		}
		p.fail(b.by, fmt.Sprintf("is blocked, with %s: %s, and %s then apply nothing of it", releases, b.what, strict))
	}
}

// remark notes of what is blocked only by a version that is not known to run.
func (p *pass) remark(b blocked, strict string) {
	target := p.cluster.Target(b.by)
	p.remarks[target] = append(p.remarks[target], b.by.WithoutSecrets(build.Unmark(fmt.Sprintf(
		"%s: %s would apply nothing of Kustomization %s, and it is not known whether it runs", b.what, strict, b.by.FullName()))))
}

// strict says which controllers fail a Kustomization of a cluster for an undefined variable,
// and whether its own is known to be one of them; empty if its own does not. That is decided by
// the gate of its kustomize-controller or, if nothing sets it, by the version of Flux, which
// the configuration may know.
func (p *pass) strict(cluster string) (text string, known bool) {
	installed := installationIn(p, cluster)
	gate := installed.Strict
	for _, a := range p.installers[cluster] {
		if own := controllers.StrictGate(a.object); own != nil && p.isController(a.object, controllers.Kustomize) {
			gate = own
		}
	}
	controller := installed.Controller
	if p.controller != nil {
		controller = p.controller(cluster, controller)
	}
	switch {
	case gate != nil && *gate:
		return "controllers with the gate StrictPostBuildSubstitutions", true
	case gate == nil && release.Controller{Version: controller.Version}.AtLeast("1.6.0"):
		return "kustomize-controller 1.9 and newer", controller.Version != ""
	}
	return "", true
}
