# METADATA
# title: A retry interval of zero means that there is no retry
# description: |
#   helm-controller schedules the next attempt after `retryInterval`. Zero is no
#   schedule at all: the first failure is the last attempt, although the status
#   says "retrying after 0s" and the release is not Stalled. Without the field the
#   interval is 5m.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#configuring-failure-handling
#   description: Configuring failure handling
# custom:
#   help: Set a retry interval above zero, or remove it for the default of 5m.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   cel:
#   - at: spec.install.strategy.retryInterval
#     fault: r.install.strategy == 'RetryOnFailure' && !r.install.retryInterval.matches('[1-9]')
#   - at: spec.upgrade.strategy.retryInterval
#     fault: r.upgrade.strategy == 'RetryOnFailure' && !r.upgrade.retryInterval.matches('[1-9]')
package remedy.rules.timing["never-retried"]

import data.remedy.lib

report contains lib.fixed(path, message, lib.safe([lib.set(path, "5m")])) if {
	some name in lib.names
	lib.retry(name)
	seconds := lib.retry_interval(name)
	seconds <= 0
	path := lib.at(name, ["strategy", "retryInterval"])
	message := sprintf(
		concat("", [
			"a failed %s is never tried again: the status says \"retrying after %vs\", ",
			"but a wait of %s schedules nothing, not even at spec.interval",
		]),
		[name, seconds, size[seconds < 0]],
	)
}

size := {true: "less than zero", false: "zero"}
