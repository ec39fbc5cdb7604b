package fleet

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// failContested says once of each object that was looked for, and of helm-controller, that two
// Kustomizations apply it with different content. What either of them makes of the cluster is followed.
func (p *pass) failContested() {
	for n := range p.asked {
		p.contested(n, func(applied, applied) bool { return true })
	}
	for cluster := range p.objects {
		for _, key := range p.controllerKeys() {
			p.contested(need{cluster, key}, func(a, b applied) bool {
				return !p.installationOf(cluster, a).SameAs(p.installationOf(cluster, b))
			})
		}
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

// controllerKeys returns the keys of the Deployment of helm-controller, and of the FluxInstance that installs one.
func (l *lookup) controllerKeys() []string {
	return []string{"Deployment/" + l.fluxNamespace() + "/" + controllers.Helm, "FluxInstance/" + l.fluxNamespace() + "/" + controllers.InstanceName}
}

// installationOf returns what a Deployment of helm-controller or a FluxInstance installs.
func (p *pass) installationOf(cluster string, a applied) (found controllers.Installation) {
	name := fmt.Sprintf("%v %s", a.object["kind"], object.FullName(a.object))
	if a.by != nil {
		name += " of Kustomization " + a.by.FullName()
	}
	if spec := controllers.InstanceSpec(a.object); spec != nil {
		_, found = controllers.OfInstance(p.index.Builder, spec, controllers.SyncObject("GitRepository", "flux-system", ""), name)
		return found
	}
	found, _ = controllers.RunningIn(a.object, p.configMaps(cluster, a.object))
	found.From = name
	found.Explain(a.object)
	return found
}

// shards returns the helm-controllers that other Deployments run beside the one of Flux.
func (p *pass) shards(cluster string) []controllers.Installation {
	var out []controllers.Installation
	for _, a := range p.installers[cluster] {
		if !object.Is(a.object, "Deployment") || object.Namespace(a.object) != p.fluxNamespace() || object.Name(a.object) == controllers.Helm {
			continue
		}
		if len(controllers.OfficialContainers(a.object, controllers.Helm)) > 0 {
			shard := p.installationOf(cluster, a)
			p.define(cluster, &shard)
			out = append(out, shard)
		}
	}
	return out
}
