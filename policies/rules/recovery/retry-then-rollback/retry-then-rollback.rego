# METADATA
# title: "Install retries but upgrade rolls back: nothing to roll back to"
# description: |
#   After a failed install under `RetryOnFailure` the next attempt is an upgrade,
#   and from then on only `spec.upgrade` decides. If that upgrade fails too it is
#   to be rolled back, but there has never been a good release to go back to: the
#   release is Stalled with MissingRollbackTarget, whatever the number of retries,
#   unlimited ones included.
#
#   Use the same strategy on both halves.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#configuring-failure-handling
#   description: Configuring failure handling
# custom:
#   help: Use the same strategy for install and upgrade.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: install-fails
#   cel:
#   - at: spec.upgrade.strategy.name
#     fault: >-
#       r.install.strategy == 'RetryOnFailure' && r.upgrade.strategy == 'RemediateOnFailure' &&
#       (r.upgrade.retries != 0 || r.upgrade.remediateLastFailure) && r.upgrade.remediation == 'rollback'
package remedy.rules.recovery["retry-then-rollback"]

import data.remedy.lib
import data.remedy.lib.recovery

report contains lib.fixed(["spec", "upgrade", "strategy", "name"], message, fix) if {
	lib.retry("install")
	lib.live("upgrade")
	input.effective.upgrade.remediation == "rollback"
}

fix := recovery.either(lib.unsafe(recovery.by_retry(["upgrade"])), lib.unsafe(recovery.by_bounds))

message := sprintf(
	concat("", [
		"a failed first install is retried after %s as an upgrade%s; if that fails too there is no release to roll back to: ",
		"it is Stalled with MissingRollbackTarget and %s",
	]),
	[lib.duration(input.effective.install.retryInterval), why, recovery.halts],
) if {
	input.effective.install.retryInterval > 0
} else := sprintf("a failed first install is never retried%s, and an upgrade after it has no release to roll back to", [why])

# Why the install is retried, if its own strategy is not set.
why := "" if {
	input.written.install.strategy
} else := ", because the controller's gate DefaultToRetryOnFailure is on"
