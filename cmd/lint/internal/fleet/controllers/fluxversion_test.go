package controllers

import (
	"slices"
	"testing"

	"golang.org/x/mod/semver"

	"github.com/flux-remedy/remedy/pkg/release"
)

func TestHelmController(t *testing.T) {
	for version, want := range map[string]string{
		"v2.8.2": "1.5.2", "2.6.4": "1.3.0", "v2.2.3": "0.37.4", "v0.41.2": "0.31.2", "2.9.0": "1.6.1",
		"2.9.9": "1.6.4", "2.10.1": "1.7.0", "2.8.0-rc.1": "1.5.0",
		"v2.2.1@sha256:36ffc08ae9eea887331b4c5a8da2b67c369405022530e9079040f530591dbf44": "0.37.1", "2.7.x@sha256:36ff": "1.4.5", "@sha256:36ff": "", "latest@sha256:36ff": "",
		"2.7.x": "1.4.5", "2.7": "1.4.5", "2.7.*": "1.4.5", "~2.8.1": "1.5.5", ">=2.7.0 <2.7.3": "1.4.2", "2.8.x-0": "1.5.5",
		"2.x": "", "2.*": "", "2": "", ">=2.5": "", ">= 2.7.0": "", "*": "", "": "", "latest": "", "^2.7.0": "",
		"2.11.1": "", "3.0.x": "", ">=2.9.7 <2.10": "1.6.4", ">=2.7 <2.9": "", "${VERSION}": "", "nonsense [": "",
	} {
		if got := HelmController(version); got != want {
			t.Errorf("helmController(%q) = %q, want %q", version, got, want)
		}
	}
}

// The version that is assumed where none is known is one of the newest that was run, and the table
// has every minor version that release.Minors has.
func TestFluxReleases(t *testing.T) {
	for minor, controllers := range fluxReleases {
		for i, version := range controllers {
			if !semver.IsValid("v"+version) || i > 0 && semver.Compare("v"+version, "v"+controllers[i-1]) < 0 {
				t.Errorf("%s.%d has helm-controller %s", minor, i, version)
			}
		}
	}
	newest := ""
	for _, minor := range release.Minors {
		controllers := fluxReleases[minor.Flux]
		if !slices.ContainsFunc(controllers, minor.Has) {
			t.Errorf("Flux %s has helm-controllers %s, not %s", minor.Flux, controllers, minor.Version)
		}
		if slices.ContainsFunc(release.HeldVersions, func(h release.HeldVersion) bool { return minor.Has(h.Version) }) {
			newest = minor.Flux
		}
	}
	if !slices.Contains(fluxReleases[newest], release.DefaultControllerVersion) {
		t.Errorf("Flux %s has no helm-controller %s, the default", newest, release.DefaultControllerVersion)
	}
}
