# METADATA
# title: Retries follow each other too quickly
# description: |
#   Under `RetryOnFailure` a release that keeps failing takes one of the
#   controller's workers (four by default) for up to its timeout, then rests for
#   the retry interval. With a rest that is short against the timeout a few such
#   releases hold up all the others; and each attempt writes a revision, events
#   and alerts.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#configuring-failure-handling
#   description: Configuring failure handling
# custom:
#   help: Set a longer strategy.retryInterval, or a shorter timeout.
#   severity: {production: warning, staging: info, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   params:
#     min: {type: duration, default: 1m, description: The shortest retry interval.}
#     maxBusy: {type: integer, default: 80, description: The most of a worker's time that one failing release may take; in percent.}
package remedy.rules.timing["retry-too-fast"]

import data.remedy.lib

params := input.params["retry-too-fast"]

report contains lib.graded(lib.finding(lib.at(name, ["strategy", "retryInterval"]), message), busy(name)) if {
	some name in lib.names
	lib.retry(name)
	lib.retry_interval(name) > 0
	too_fast(name)
	message := sprintf("a failing %s waits up to %s, rests for %s and starts again: it takes up to %d%% of a worker's time and up to %d revisions a day", [
		name, lib.duration(input.effective[name].timeout), lib.duration(lib.retry_interval(name)), floor(busy(name)), floor(86400 / lib.retry_interval(name)),
	])
}

too_fast(name) if lib.retry_interval(name) < params.min

too_fast(name) if busy(name) > params.maxBusy

busy(name) := (100 * timeout) / (timeout + lib.retry_interval(name)) if timeout := input.effective[name].timeout
