package effective

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective/estate"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/forecast/wave"
)

// estate returns the estate of the cluster that the Kustomization of a release lives in; nil if none applies it.
func (r *Release) estate() *estate.Estate {
	if r.cluster == nil || len(r.chain) == 0 || r.chain[0].Folder {
		return nil
	}
	return r.estates.Of(r.cluster, r.chain[0])
}

// Radius returns what the release holds up in a scenario: nil if the scenario does not begin with a commit, or
// if nothing is known of what applies the release.
func (r *Release) Radius(scenario forecast.Scenario, opts forecast.Options) *wave.Radius {
	e := r.estate()
	if e == nil || r.Settings == nil || r.templated() {
		return nil
	}
	return e.Radius(r.Release, scenario, opts)
}

// Depended reports whether anything may wait for the Kustomization of the release: what depends on it, or on
// one that waits for it.
func (r *Release) Depended() bool {
	e := r.estate()
	return e != nil && e.Depended(r.chain[0].FullName())
}

// above says of releases what is above them.
func (l *loader) above(all []*Release) {
	var in []estate.Applied
	for _, r := range all {
		if e := r.estate(); e != nil && r.Settings != nil {
			in = append(in, estate.Applied{Release: r.Release, In: e, Templated: r.templated()})
		}
	}
	estate.Above(in)
	for _, r := range all {
		if a := r.Above; a != nil && len(l.secrets) > 0 {
			a.Kustomization = l.secrets.Mask(a.Kustomization)
			for _, names := range []*[]string{&a.Dependents, &a.Suspended, &a.Circle, &a.Deadlock, &a.Missing} {
				*names = append([]string{}, l.secrets.MaskAll(*names)...)
			}
		}
	}
}
