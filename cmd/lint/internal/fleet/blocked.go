package fleet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// blocked is a Kustomization of which an object uses a variable that nothing defines.
type blocked struct {
	by   *Kustomization
	what string
}

// noteUndefined records the first variable of a Kustomization that has neither a value nor
// a default.
func (p *pass) noteUndefined(k *Kustomization, obj map[string]any, reasons map[string]string) {
	if slices.ContainsFunc(p.blocked, func(b blocked) bool { return b.by == k }) {
		return
	}
	for _, name := range sortedKeys(reasons) {
		if reasons[name] == build.Undefined {
			what := fmt.Sprintf("%v %s uses ${%s}, which has no value and no default", obj["kind"], object.FullName(obj), name)
			p.blocked = append(p.blocked, blocked{k, what})
			return
		}
	}
}

// failBlocked says which Kustomizations Flux applies nothing of. Since kustomize-controller
// 1.9, which comes with helm-controller 1.6, one undefined variable fails all of it.
// Source: github.com/fluxcd/kustomize-controller, internal/features, StrictPostBuildSubstitutions.
func (p *pass) failBlocked() {
	for _, b := range p.blocked {
		if !p.strict(p.cluster.host(b.by)) {
			continue
		}
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
		p.fail(b.by, fmt.Sprintf("is blocked, with %s: %s, and kustomize-controller 1.9 and newer then apply nothing of it", releases, b.what))
	}
}

// strict reports whether undefined variables fail a Kustomization of a cluster: by the gate
// of its kustomize-controller or, if that is not seen, by the version of Flux.
func (p *pass) strict(cluster string) bool {
	for _, a := range p.installers[cluster] {
		if !p.isController(a.object, "kustomize-controller") {
			continue
		}
		for _, container := range containersOf(a.object) {
			if on, set := strictGate(container); set {
				return on
			}
		}
	}
	installed := installationIn(p, cluster).Controller
	return release.Controller{Version: installed.Version}.AtLeast("1.6.0")
}

// strictGate returns the gate StrictPostBuildSubstitutions of a container, and reports
// whether its arguments set it.
func strictGate(container any) (on, set bool) {
	args, _ := object.At(container, "args").([]any)
	for _, arg := range args {
		text, _ := arg.(string)
		_, value, found := strings.Cut(text, "StrictPostBuildSubstitutions=")
		if found && strings.HasPrefix(text, "--feature-gates=") {
			return strings.HasPrefix(strings.ToLower(value), "true"), true
		}
	}
	return false, false
}
