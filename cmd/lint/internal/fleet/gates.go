package fleet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// sourceName is the name of the Deployment of source-controller.
const sourceName = "source-controller"

// otherGates are the gates of controllers that are known here, but for those of helm-controller that change what
// happens on failure. Source: internal/features of helm-controller 0.28 to 1.6, kustomize-controller 0.33 to 1.10
// and source-controller 0.25 to 1.10, each at its tags, and the packages auth and runtime/controller of
// github.com/fluxcd/pkg. Of source-controller 0.25 alone had GitManagedTransport, 0.32 alone
// ForceGoGitImplementation, and 0.25 to 0.36 OptimizedGitClones.
var otherGates = map[string][]string{
	controllerName: {
		"AdditiveCELDependencyCheck", "AdoptLegacyReleases", "AllowDNSLookups", "CacheSecretsAndConfigMaps", "CancelHealthCheckOnNewRevision",
		"CorrectDrift", "DetectDrift", "DirectSourceFetch", "DisableChartDigestTracking", "DisableConfigWatchers", "ExternalArtifact",
		"OOMWatch", "ObjectLevelWorkloadIdentity",
	},
	applierName: {
		"AdditiveCELDependencyCheck", "CacheSecretsAndConfigMaps", "CancelHealthCheckOnNewRevision", "DirectSourceFetch", "DisableCommitStatusEvent",
		"DisableConfigWatchers", "DisableFailFastBehavior", "DisableStatusPollerCache", "ExternalArtifact", "GroupChangeLog", "MigrateAPIVersion",
		"ObjectLevelWorkloadIdentity", "StrictPostBuildSubstitutions",
	},
	sourceName: {
		"CacheSecretsAndConfigMaps", "ForceGoGitImplementation", "GitManagedTransport", "ObjectLevelWorkloadIdentity", "OptimizedGitClones",
	},
}

// gateNotes returns a note on each gate of a Deployment of a controller that is not known here.
func gateNotes(deployment map[string]any) (notes []string) {
	for _, gates := range flagIn(deployment, "feature-gates") {
		notes = append(notes, unknownGates(object.Name(deployment), gates)...)
	}
	return notes
}

// unknownGates returns a note on each gate in a value of the flag --feature-gates of a controller that is
// not known here.
func unknownGates(controller, text string) (notes []string) {
	for _, pair := range strings.Split(text, ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(pair), "=")
		_, known := release.KnownGates[name]
		known = known && controller == controllerName || slices.Contains(otherGates[controller], name)
		if name != "" && !known {
			notes = append(notes, fmt.Sprintf("%s is not known to have the gate %s, which is %s: nothing is said of what it changes", controller, name, object.MisspeltOrNewer))
		}
	}
	return notes
}
