# METADATA
# title: Neither a failed install nor a failed upgrade recovers
# description: |
#   With nothing said, helm-controller does nothing after a failure: the first
#   one is final. The release is Stalled with RetriesExceeded and is not looked
#   at again, not even at `spec.interval`, until its spec, chart or values change.
#   After a failed upgrade the failed version stays on the cluster.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#configuring-failure-handling
#   description: Configuring failure handling
# custom:
#   severity: {production: error, staging: warning, development: "off"}
#   scenario: upgrade-fails
package rules.recovery["no-recovery"]

import data.lib

report contains lib.finding(["spec"], message) if {
	lib.gives_up(input.effective.install)
	lib.gives_up(input.effective.upgrade)
	message := concat("", [
		"nothing recovers this release: after the first failed install or upgrade it is Stalled with RetriesExceeded, ",
		"the failed version stays on the cluster, and Flux does not try again until a human changes something",
	])
}
