package fleet

import "github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"

// fluxVersion is the minor version of Flux that a cluster has, "" if none is stated, after so many objects were met
// that may install it.
type fluxVersion struct {
	met  int
	flux string
}

// stated returns the minor version of Flux that a cluster has, as far as the tree and the configuration state a
// known one; else "". It is asked for each object of Flux.
func (p *pass) stated(cluster string) string {
	met := len(p.installers[cluster]) + len(p.published[cluster])
	known, ok := p.versions[cluster]
	if !ok || known.met != met {
		known = fluxVersion{met, p.statedNow(cluster)}
		p.versions[cluster] = known
	}
	return known.flux
}

func (p *pass) statedNow(cluster string) string {
	controller := installationIn(p, cluster).Controller
	if p.controller != nil {
		controller = p.controller(cluster, controller)
	}
	return controllers.FluxWith(controller.Version)
}
