# METADATA
# title: A failed install does not recover
# description: |
#   The install remediates its failures but has no retries, so the first failed
#   install is final. Whatever is written for upgrades does not help: without a
#   successful install there is no upgrade, and even `RetryOnFailure` of the
#   upgrade is never reached.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#install-remediation
#   description: Install remediation
# custom:
#   help: Give the install retries, or use RetryOnFailure.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: install-fails
#   leaves: [mixed-strategies, retry-then-rollback]
#   cel:
#   - at: spec.install.remediation.retries
#     fault: >-
#       r.install.strategy == 'RemediateOnFailure' && r.install.retries == 0 &&
#       !(r.upgrade.strategy == 'RemediateOnFailure' && r.upgrade.retries == 0 &&
#       !r.upgrade.remediateLastFailure)
package remedy.rules.recovery["install-not-recovered"]

import data.remedy.lib
import data.remedy.lib.chart
import data.remedy.lib.recovery

report contains object.union_n([lib.finding(["spec", "install", "remediation", "retries"], message), fix, recovery.install_left]) if {
	recovery.final == {"install"}
	message := sprintf("the first failed install is final: the release is %s; %s%s", [recovery.stalled, recovery.left("install"), upgrade_note])
}

default upgrade_note := ""

upgrade_note := ", and RetryOnFailure of the upgrade is never reached" if lib.retry("upgrade")

# The install recovers in the same way as the upgrade. For a chart that holds data both
# retry, or nothing is repaired where they cannot, nor beside a strategy that is not known here.
fix := {"fix": recovery.completed("retry", recovery.retried(["install"]))} if {
	lib.retry("upgrade")
} else := {"fix": recovery.completed("bounded", lib.safe([lib.set(["spec", "install", "remediation", "retries"], retries)]))} if {
	lib.remediate("upgrade")
	not chart.stateful
} else := {"fix": lib.unsafe(recovery.by_retry(recovery.both))} if {
	lib.remediate("upgrade")
	recovery.preferred_class == "retry"
} else := {}

retries := recovery.retries_like("upgrade")
