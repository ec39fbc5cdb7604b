# METADATA
# title: A failed upgrade does not recover
# description: |
#   The upgrade neither retries nor remediates, so the first failed upgrade is
#   final: the release is Stalled and the failed version stays on the cluster.
#   A first install that is retried does not help: its second attempt already is
#   an upgrade, so it gets exactly one more attempt.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-remediation
#   description: Upgrade remediation
# custom:
#   help: Give the upgrade retries, or use RetryOnFailure.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   leaves: [mixed-strategies, retry-then-rollback, rollback-without-retry, last-failure-left]
#   cel:
#   - at: spec.upgrade.remediation.retries
#     fault: >-
#       r.upgrade.strategy == 'RemediateOnFailure' && r.upgrade.retries == 0 &&
#       !r.upgrade.remediateLastFailure && !(r.install.strategy == 'RemediateOnFailure' &&
#       r.install.retries == 0)
package remedy.rules.recovery["upgrade-not-recovered"]

import data.remedy.lib
import data.remedy.lib.recovery

report contains object.union(lib.finding(["spec", "upgrade", "remediation", "retries"], message), fix) if {
	recovery.final == {"upgrade"}
	message := sprintf("the first failed upgrade is final: the release is %s; the failed version stays on the cluster%s", [
		recovery.stalled, install_note,
	])
}

default install_note := ""

install_note := "; a failed first install gets one more attempt, as an upgrade, and no other" if {
	lib.retry("install")
}

# The upgrade recovers in the same way as the install, if both are known here.
fix := {"fix": recovery.completed("retry", recovery.retried(["upgrade"]))} if {
	lib.retry("install")
} else := {"fix": recovery.completed("bounded", lib.safe([lib.set(["spec", "upgrade", "remediation", "retries"], retries)]))} if {
	lib.remediate("install")
	input.effective.upgrade.remediation == "rollback"
} else := {"fix": recovery.completed("bounded", lib.unsafe([
	lib.set(["spec", "upgrade", "remediation", "retries"], retries),
	lib.set(["spec", "upgrade", "remediation", "strategy"], "rollback"),
]))} if {
	lib.remediate("install")
} else := {}

retries := recovery.retries_like("install")
