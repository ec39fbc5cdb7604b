# METADATA
# title: The release is suspended
# description: |
#   While `spec.suspend` is true helm-controller does nothing with the release: no
#   new version is installed, no failure is repaired, and no drift is corrected. Its
#   conditions stay as they were, so that it may look Ready for months. Deleting a
#   suspended HelmRelease leaves everything that it installed on the cluster.
#
#   Nothing else but what concerns the API server is reported about such a release:
#   its other settings have no effect until it is resumed.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#suspend
#   description: Suspend
# custom:
#   help: Resume the release, or remove it if nobody needs it.
#   severity: {production: info, staging: "off", development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   alone: true
package remedy.rules.visibility.suspended

import data.remedy.lib

report contains lib.finding(["spec", "suspend"], message) if {
	input.effective.suspend
	message := "Flux does nothing with this release while it is suspended: changes in Git do not reach the cluster, and its other settings have no effect"
}
