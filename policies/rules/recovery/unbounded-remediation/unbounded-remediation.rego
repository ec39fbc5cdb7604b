# METADATA
# title: Remediation without end
# description: |
#   With negative retries a failing upgrade goes forward and back between two
#   versions, and a failing install is installed and uninstalled, for as long as
#   the cause lasts, with up to 15 minutes between the attempts. It is never
#   Stalled, so alerts on Stalled never fire; and a restart of the controller in mid-upgrade
#   still loses the rollback target.
#
#   Give a number of retries, or use `RetryOnFailure`, which tries again without
#   touching what runs.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-remediation
#   description: Upgrade remediation
# custom:
#   help: Give a number of retries, or use RetryOnFailure.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   hides: [last-failure-left]
#   nearer: [too-many-retries, slow-recovery]
#   cel:
#   - at: spec.install.remediation.retries
#     fault: r.install.strategy == 'RemediateOnFailure' && r.install.retries < 0
#   - at: spec.upgrade.remediation.retries
#     fault: >-
#       r.upgrade.strategy == 'RemediateOnFailure' && r.upgrade.remediation == 'rollback' &&
#       r.upgrade.retries < 0
package remedy.rules.recovery["unbounded-remediation"]

import data.remedy.lib
import data.remedy.lib.recovery

report contains lib.fixed(["spec", name, "remediation", "retries"], message, fix(name)) if {
	some name, half in lib.halves
	lib.budgeted(name)
	half.retries < 0
	message := sprintf("a failing %s is followed by %s and tried again without end, at most 15m apart; it never becomes Stalled, so alerts on Stalled never fire", [
		name, lib.remedy(half),
	])
}

fix(name) := lib.unsafe([lib.set(["spec", name, "remediation", "retries"], recovery.retries_like(lib.halves[other[name]]))])

other := {"install": "upgrade", "upgrade": "install"}
