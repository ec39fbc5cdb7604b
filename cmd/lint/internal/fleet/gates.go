package fleet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// otherGates are the gates of helm-controller that change nothing of what happens on failure.
// Source: internal/features of helm-controller 1.0 to 1.6, and the packages auth and
// runtime/controller of github.com/fluxcd/pkg.
var otherGates = []string{
	"AdditiveCELDependencyCheck", "AdoptLegacyReleases", "AllowDNSLookups", "CacheSecretsAndConfigMaps", "CancelHealthCheckOnNewRevision",
	"CorrectDrift", "DetectDrift", "DirectSourceFetch", "DisableChartDigestTracking", "DisableConfigWatchers", "ExternalArtifact",
	"OOMWatch", "ObjectLevelWorkloadIdentity",
}

// unknownGates returns a note on each gate in a value of the flag --feature-gates that is not known
// here.
func unknownGates(text string) (notes []string) {
	for _, pair := range strings.Split(text, ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(pair), "=")
		_, known := release.KnownGates[name]
		if name != "" && !known && !slices.Contains(otherGates, name) {
			notes = append(notes, fmt.Sprintf("helm-controller is not known to have the gate %s, which is %s: nothing is said of what it changes", name, object.MisspeltOrNewer))
		}
	}
	return notes
}
