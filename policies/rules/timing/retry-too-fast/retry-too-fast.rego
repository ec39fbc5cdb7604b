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

report contains lib.graded(lib.finding(lib.at(name, ["strategy", "retryInterval"]), message), busy(half)) if {
	some name, half in lib.halves
	lib.retry(half)
	half.retryInterval > 0
	too_fast(half)
	message := sprintf("a failing %s waits up to %s, rests for %s and starts again: it takes up to %d%% of a worker's time and up to %d revisions a day", [
		name, lib.duration(half.timeout), lib.duration(half.retryInterval), floor(busy(half)), floor(86400 / half.retryInterval),
	])
}

too_fast(half) if half.retryInterval < params.min

too_fast(half) if busy(half) > params.maxBusy

busy(half) := (100 * half.timeout) / (half.timeout + half.retryInterval)
