# METADATA
# title: The last failed upgrade is left in place
# description: |
#   `remediateLastFailure: false` rolls back after every failed attempt but the
#   last one: when the retries are used up the release is Stalled with the failed
#   version on the cluster, although the version before it worked.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-remediation
#   description: Upgrade remediation
# custom:
#   help: 'Set remediateLastFailure: true.'
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   cel:
#   - at: spec.upgrade.remediation.remediateLastFailure
#     fault: >-
#       r.upgrade.strategy == 'RemediateOnFailure' && r.upgrade.remediation == 'rollback' &&
#       r.upgrade.retries > 0 && !r.upgrade.remediateLastFailure
package remedy.rules.recovery["last-failure-left"]

import data.remedy.lib

report contains lib.fixed(path, message, lib.safe([lib.set(path, true)])) if {
	lib.budgeted("upgrade")
	input.effective.upgrade.retries > 0
	not input.effective.upgrade.remediateLastFailure
	message := sprintf(
		concat("", [
			"when %s of an upgrade have failed the last one is not rolled back: ",
			"the release is Stalled with RetriesExceeded and the failed version stays on the cluster",
		]),
		[lib.plural(input.effective.upgrade.retries + 1, "attempt")],
	)
}

path := ["spec", "upgrade", "remediation", "remediateLastFailure"]
