# METADATA
# title: The install remediates, the upgrade retries
# description: |
#   Upgrades are retried forever, but a first install that keeps failing is
#   uninstalled between its attempts and then given up: it never reaches the
#   `RetryOnFailure` of the upgrade. The two halves of one release behave in
#   opposite ways, and which one counts depends on whether an upgrade has ever run.
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
#   - at: spec.install.strategy.name
#     fault: >-
#       r.install.strategy == 'RemediateOnFailure' && r.install.retries != 0 &&
#       r.upgrade.strategy == 'RetryOnFailure'
package remedy.rules.recovery["mixed-strategies"]

import data.remedy.lib
import data.remedy.lib.recovery

report contains lib.fixed(["spec", "install", "strategy", "name"], message, fix) if {
	lib.remediate("install")
	input.effective.install.retries != 0
	lib.retry("upgrade")
	message := sprintf(
		concat("", [
			"upgrades retry forever, but a failing first install is uninstalled %s: ",
			"the RetryOnFailure of the upgrade is never reached",
		]),
		[ending(input.effective.install.retries)],
	)
}

fix := recovery.either(lib.unsafe(recovery.by_retry(["install"])), lib.unsafe(recovery.by_bounds))

ending(retries) := "and cannot be installed again" if {
	lib.deadlocked
} else := "after each attempt, forever" if {
	retries < 0
} else := sprintf("after each attempt and, after %s, Stalled with RetriesExceeded", [lib.plural(retries + 1, "attempt")])
