package fleet

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/pkg/release"
)

// fluxVersion is the minor version of Flux that a cluster has, "" if none is stated, after so many objects were met
// that may install it.
type fluxVersion struct {
	met  int
	flux string
}

// stated returns the minor version of Flux that a cluster has, as far as the tree and the configuration state a
// known one; else "". It is asked for each object of Flux.
func (f *flux) stated(cluster string) string {
	met := len(f.installers[cluster]) + len(f.published[cluster])
	known, ok := f.versions[cluster]
	if !ok || known.met != met {
		known = fluxVersion{met, f.statedNow(cluster)}
		f.versions[cluster] = known
	}
	return known.flux
}

func (f *flux) statedNow(cluster string) string {
	controller := f.installation(cluster).Controller
	if f.controller != nil {
		controller = f.controller(cluster, controller)
	}
	return controllers.FluxWith(controller.Version)
}

// strict says which controllers fail a Kustomization of a cluster for an undefined variable,
// and whether its own is known to be one of them; empty if its own does not. That is decided by
// the gate of its kustomize-controller or, if nothing sets it, by the version of Flux, which
// the configuration may know.
func (f *flux) strict(cluster string) (text string, known bool) {
	installed := f.installation(cluster)
	gate := installed.Strict
	for _, a := range f.installers[cluster] {
		if own := controllers.StrictGate(a.object); own != nil && f.isController(a.object, controllers.Kustomize) {
			gate = own
		}
	}
	controller := installed.Controller
	if f.controller != nil {
		controller = f.controller(cluster, controller)
	}
	switch {
	case gate != nil && *gate:
		return "controllers with the gate StrictPostBuildSubstitutions", true
	case gate == nil && release.Controller{Version: controller.Version}.AtLeast("1.6.0"):
		return "kustomize-controller 1.9 and newer", controller.Version != ""
	}
	return "", true
}
