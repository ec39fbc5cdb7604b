package controllers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Source is the name of the Deployment of source-controller.
const Source = "source-controller"

// otherGates are the gates of controllers that are known here, but for those of helm-controller that change what
// happens on failure. Source: internal/features of helm-controller 0.28 to 1.6, kustomize-controller 0.33 to 1.10
// and source-controller 0.25 to 1.10, each at its tags, and the packages auth and runtime/controller of
// github.com/fluxcd/pkg. Of source-controller 0.25 alone had GitManagedTransport, 0.32 alone
// ForceGoGitImplementation, and 0.25 to 0.36 OptimizedGitClones.
var otherGates = map[string][]string{
	Helm: {
		"AdditiveCELDependencyCheck", "AdoptLegacyReleases", "AllowDNSLookups", "CacheSecretsAndConfigMaps", "CancelHealthCheckOnNewRevision",
		"CorrectDrift", "DetectDrift", "DirectSourceFetch", "DisableChartDigestTracking", "DisableConfigWatchers", "ExternalArtifact",
		"OOMWatch", "ObjectLevelWorkloadIdentity",
	},
	Kustomize: {
		"AdditiveCELDependencyCheck", "CacheSecretsAndConfigMaps", "CancelHealthCheckOnNewRevision", "DirectSourceFetch", "DisableCommitStatusEvent",
		"DisableConfigWatchers", "DisableFailFastBehavior", "DisableStatusPollerCache", "ExternalArtifact", "GroupChangeLog", "MigrateAPIVersion",
		"ObjectLevelWorkloadIdentity", "StrictPostBuildSubstitutions",
	},
	Source: {
		"CacheSecretsAndConfigMaps", "ForceGoGitImplementation", "GitManagedTransport", "ObjectLevelWorkloadIdentity", "OptimizedGitClones",
	},
}

// GateNotes returns a note on each gate of a Deployment of a controller that is not known here.
func GateNotes(deployment map[string]any) (notes []string) {
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
		known = known && controller == Helm || slices.Contains(otherGates[controller], name)
		if name != "" && !known {
			notes = append(notes, fmt.Sprintf("%s is not known to have the gate %s, which is %s: nothing is said of what it changes", controller, name, object.MisspeltOrNewer))
		}
	}
	return notes
}

// StrictGate returns the gate StrictPostBuildSubstitutions of a Deployment; nil if its
// arguments do not set it.
func StrictGate(deployment map[string]any) *bool {
	var out *bool
	for _, text := range flagIn(deployment, "feature-gates") {
		for _, pair := range strings.Split(text, ",") {
			if name, value, _ := strings.Cut(strings.TrimSpace(pair), "="); name == "StrictPostBuildSubstitutions" {
				if on, err := strconv.ParseBool(strings.TrimSpace(value)); err == nil {
					out = &on
				}
			}
		}
	}
	return out
}
