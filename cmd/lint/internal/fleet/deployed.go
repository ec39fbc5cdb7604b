package fleet

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// deployed returns what the Deployments of helm-controller install that are applied to a
// cluster: by its entry, or by Kustomizations that apply the whole of Flux.
func (f *flux) deployed(cluster string, byEntry bool, skipped *controllers.Installation) []controllers.Installation {
	var out []controllers.Installation
	for _, a := range f.installers[cluster] {
		if !f.isController(a.object, controllers.Helm) || leads(a.by) != byEntry || !byEntry && !f.appliesFlux(cluster, a.by) {
			continue
		}
		name := "Deployment " + object.FullName(a.object)
		found, official := controllers.RunningIn(a.object, f.configMaps(cluster, a.object))
		if !official {
			skipped.Notes = append(skipped.Notes, fmt.Sprintf("%s has the image %s, which does not end in fluxcd/helm-controller and is not used", name, controllers.ImageOf(a.object)))
			continue
		}
		found.From = name
		found.Explain(a.object)
		out = append(out, found)
	}
	return out
}

// configMaps returns the ConfigMaps beside a Deployment. One that the cluster may have with several
// contents is not known.
func (f *flux) configMaps(cluster string, deployment map[string]any) controllers.ConfigMaps {
	return func(name string) map[string]any {
		found := f.known().present(cluster, "ConfigMap/"+object.Namespace(deployment)+"/"+name)
		if name == "" || len(found) != 1 {
			return nil
		}
		data, _ := object.At(found[0].object, "data").(map[string]any)
		return data
	}
}

// isController reports whether an object is the Deployment of a controller of Flux.
func (f *flux) isController(obj map[string]any, name string) bool {
	return object.Is(obj, "Deployment") && object.Name(obj) == name && object.Namespace(obj) == f.fluxNamespace()
}

// leads reports whether a Kustomization is an entry of the cluster that it applies to.
func leads(k *entries.Kustomization) bool {
	return k.Parent == nil || entries.RemoteOf(k.Object) != ""
}

// appliesFlux reports whether a Kustomization applies not only helm-controller.
func (f *flux) appliesFlux(cluster string, k *entries.Kustomization) bool {
	for _, name := range []string{controllers.Source, controllers.Kustomize} {
		if !slices.ContainsFunc(f.installers[cluster], func(a applied) bool {
			return a.by == k && f.isController(a.object, name) && len(controllers.OfficialContainers(a.object, name)) > 0
		}) {
			return false
		}
	}
	return true
}

// controllerKeys returns the keys of the Deployment of helm-controller, and of the FluxInstance that installs one.
func (l *lookup) controllerKeys() []string {
	return []string{"Deployment/" + l.fluxNamespace() + "/" + controllers.Helm, "FluxInstance/" + l.fluxNamespace() + "/" + controllers.InstanceName}
}

// installationOf returns what a Deployment of helm-controller or a FluxInstance installs.
func (f *flux) installationOf(cluster string, a applied) (found controllers.Installation) {
	name := fmt.Sprintf("%v %s", a.object["kind"], object.FullName(a.object))
	if a.by != nil {
		name += " of Kustomization " + a.by.FullName()
	}
	if controllers.InstanceSpec(a.object) != nil {
		return f.ofInstance(a.object, name)
	}
	found, _ = controllers.RunningIn(a.object, f.configMaps(cluster, a.object))
	found.From = name
	found.Explain(a.object)
	return found
}

// shards returns the helm-controllers that other Deployments run beside the one of Flux.
func (f *flux) shards(cluster string) []controllers.Installation {
	var out []controllers.Installation
	for _, a := range f.installers[cluster] {
		if !object.Is(a.object, "Deployment") || object.Namespace(a.object) != f.fluxNamespace() || object.Name(a.object) == controllers.Helm {
			continue
		}
		if len(controllers.OfficialContainers(a.object, controllers.Helm)) > 0 {
			shard := f.installationOf(cluster, a)
			f.define(cluster, &shard)
			out = append(out, shard)
		}
	}
	return out
}
