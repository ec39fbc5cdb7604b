# METADATA
# title: Neither a failed install nor a failed upgrade recovers
# description: |
#   With nothing said, helm-controller does nothing after a failure: the first
#   one is final. The release is Stalled with RetriesExceeded and is not looked
#   at again, not even at `spec.interval`, until its spec, chart or values change.
#   After a failed upgrade the failed version stays on the cluster.
#
#   Let both halves retry, or give both a number of retries.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#configuring-failure-handling
#   description: Configuring failure handling
# custom:
#   help: Let install and upgrade retry with RetryOnFailure, or give both a number of retries.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   leaves:
#   - no-recovery # its field depends on what is written beside it
#   - install-not-recovered
#   - upgrade-not-recovered
#   - mixed-strategies
#   - retry-then-rollback
#   - rollback-without-retry
#   - last-failure-left
#   cel:
#   - at: [spec.upgrade.remediation.retries, spec.upgrade.strategy.name, spec.upgrade, spec.install, spec]
#     fault: >-
#       r.install.strategy == 'RemediateOnFailure' && r.install.retries == 0 &&
#       r.upgrade.strategy == 'RemediateOnFailure' && r.upgrade.retries == 0 &&
#       !r.upgrade.remediateLastFailure
package remedy.rules.recovery["no-recovery"]

import data.remedy.lib
import data.remedy.lib.recovery

report contains object.union(lib.fixed(written, message, fix), recovery.install_left) if {
	recovery.final == {"install", "upgrade"}
	message := sprintf("nothing recovers this release: after the first failed install or upgrade it is %s; the failed version stays on the cluster", [recovery.stalled])
	fix := recovery.either(recovery.retried(recovery.both), lib.safe(recovery.by_bounds))
}

written := ["spec", "upgrade", "remediation", "retries"] if {
	input.written.upgrade["remediation.retries"]
} else := ["spec", "upgrade", "strategy", "name"] if {
	input.written.upgrade["strategy.name"]
} else := ["spec", "upgrade"] if {
	input.written.upgrade[""]
} else := ["spec", "install"] if {
	input.written.install[""]
} else := ["spec"]
