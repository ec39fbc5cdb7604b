package fleet

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// failContested says once of each object that was looked for, and of helm-controller, that two
// Kustomizations apply it with different content. What either of them makes of the cluster is followed.
func (p *pass) failContested() {
	for n := range p.asked {
		p.contested(n, func(applied, applied) bool { return true })
	}
	for cluster := range p.objects {
		p.contested(need{cluster, p.controllerKey()}, func(a, b applied) bool {
			return !sameController(installationOf(a).Controller, installationOf(b).Controller)
		})
	}
}

// contested says of an object that two Kustomizations apply it with content that differs.
func (p *pass) contested(n need, differ func(a, b applied) bool) {
	found := p.objects.present(n.cluster, n.key)
	for i := 1; i < len(found); i++ {
		first, second := found[0].by, found[i].by
		if first == nil || second == nil || first.FullName() == second.FullName() || !differ(found[0], found[i]) {
			continue
		}
		p.fail(second, fmt.Sprintf("applies %v %s with other content than Kustomization %s: each undoes the other",
			found[i].object["kind"], build.Unmark(object.FullName(found[i].object)), first.FullName()))
	}
}

// controllerKey returns the key of the Deployment of helm-controller.
func (l *lookup) controllerKey() string {
	return "Deployment/" + l.fluxNamespace() + "/" + controllerName
}

// installationOf returns what a Deployment of helm-controller installs.
func installationOf(a applied) Installation {
	found, _ := ControllerOf(a.object)
	name := "Deployment " + object.FullName(a.object)
	if a.by != nil {
		name += " of Kustomization " + a.by.FullName()
	}
	return Installation{Controller: found, From: name}
}

// Installations returns the helm-controllers that a cluster may have, by its name: several, if
// several Kustomizations apply the Deployment with different content.
func (r *Resolved) Installations(cluster string) []Installation {
	out := []Installation{r.Installation(cluster)}
	writers := r.pass.objects.present(cluster, r.pass.controllerKey())
	for _, a := range writers {
		found := installationOf(a)
		if len(writers) > 1 && !slices.ContainsFunc(out, func(i Installation) bool { return sameController(i.Controller, found.Controller) }) {
			out = append(out, found)
		}
	}
	return out
}
