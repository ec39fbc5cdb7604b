package controllers

import (
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// TestMinors: the versions of helm-controller by release of Flux are those of the table.
func TestMinors(t *testing.T) {
	for _, minor := range release.Minors {
		all := fluxReleases[minor.Flux]
		if len(all) == 0 {
			t.Errorf("Flux %s is not known", minor.Flux)
		}
		for _, version := range all {
			if !minor.Has(version) {
				t.Errorf("Flux %s has helm-controller %s, not %s", minor.Flux, version, minor.Version)
			}
		}
	}
}
