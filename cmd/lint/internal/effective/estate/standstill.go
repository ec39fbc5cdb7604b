package estate

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Standstills says what keeps commits from what a Kustomization of the estate applies: it, its source, or what applies it.
func (e *Estate) Standstills(in *fleet.Resolved, k *entries.Kustomization) []release.Standstill {
	name := k.FullName()
	out := e.fleet.Standstill(name)
	add := func(field, why string, of release.StandstillOf) {
		if why != "" {
			out = append(out, release.Standstill{
				Object: "Kustomization/" + name, Path: release.Path{"spec", field}, Why: why, Of: of, Waiting: []string{},
			})
		}
	}
	source, itself := in.Still(k)
	if source != "" {
		source = fmt.Sprintf("%s, and Kustomization %s takes what it applies from there", source, name)
	}
	add("sourceRef", source, release.OfRelease)
	add("path", itself, release.OfKustomization)
	return out
}
