# METADATA
# title: A failed upgrade is rolled back but never tried again
# description: |
#   `remediateLastFailure: true` without retries brings the previous version back,
#   which is safe, and then gives up: a failure that would have gone away within
#   a minute leaves the release Stalled until its spec, chart or values change.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-remediation
#   description: Upgrade remediation
# custom:
#   help: Give the upgrade a number of retries.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails-once
#   cel:
#   - at: spec.upgrade.remediation.retries
#     fault: >-
#       r.upgrade.strategy == 'RemediateOnFailure' && r.upgrade.remediation == 'rollback' &&
#       r.upgrade.retries == 0 && r.upgrade.remediateLastFailure
package remedy.rules.recovery["rollback-without-retry"]

import data.remedy.lib
import data.remedy.lib.recovery

report contains lib.fixed(path, message, lib.safe([lib.set(path, recovery.retries_like("install"))])) if {
	lib.budgeted("upgrade")
	input.effective.upgrade.retries == 0
	input.effective.upgrade.remediateLastFailure
	message := sprintf("the first failed upgrade is rolled back and never tried again: the release is %s, even if the cause goes away", [
		recovery.stalled,
	])
}

path := ["spec", "upgrade", "remediation", "retries"]
