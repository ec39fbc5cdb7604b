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
			return !p.installationOf(cluster, a).sameAs(p.installationOf(cluster, b))
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
func (p *pass) installationOf(cluster string, a applied) Installation {
	found, _ := runningIn(a.object, p.configMaps(cluster, a.object))
	found.From = "Deployment " + object.FullName(a.object)
	if a.by != nil {
		found.From += " of Kustomization " + a.by.FullName()
	}
	found.explain(a.object)
	return found
}

// Installations returns the helm-controllers that a cluster may have, by its name: several, if
// several Kustomizations apply the Deployment with different content, and those beside it, such as
// shards.
func (r *Resolved) Installations(cluster string) []Installation {
	first := r.Installation(cluster)
	out := append([]Installation{first}, first.shards...)
	writers := r.pass.objects.present(cluster, r.pass.controllerKey())
	for _, a := range writers {
		found := r.pass.installationOf(cluster, a)
		if len(writers) > 1 && !slices.ContainsFunc(out, func(i Installation) bool { return i.sameAs(found) }) {
			out = append(out, found)
		}
	}
	return append(out, r.pass.shards(cluster)...)
}

// shards returns the helm-controllers that other Deployments run beside the one of Flux.
func (p *pass) shards(cluster string) []Installation {
	var out []Installation
	for _, a := range p.installers[cluster] {
		if !object.Is(a.object, "Deployment") || object.Namespace(a.object) != p.fluxNamespace() || object.Name(a.object) == controllerName {
			continue
		}
		if len(officialContainers(a.object, controllerName)) > 0 {
			shard := p.installationOf(cluster, a)
			p.define(cluster, &shard)
			out = append(out, shard)
		}
	}
	return out
}
