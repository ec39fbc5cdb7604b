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
import data.remedy.lib.pace

report contains object.union(lib.graded(lib.finding(lib.at(name, ["strategy", "retryInterval"]), message), busy), fix(name)) if {
	some name in lib.names
	lib.retry(name)
	interval := lib.retry_interval(name)
	interval > 0
	timeout := input.effective[name].timeout
	pace.too_fast(timeout, interval)
	busy := pace.busy(timeout, interval)
	message := sprintf("a failing %s waits up to %s, rests for %s and starts again: it takes up to %d%% of a worker's time and up to %d revisions a day", [
		name, lib.duration(timeout), lib.duration(interval), floor(busy), floor(86400 / interval),
	])
}

# Where the gate lets it retry, no strategy may be written, and one needs a name.
fix(name) := {"fix": lib.safe(array.concat(
	[lib.set(lib.at(name, ["strategy", "name"]), "RetryOnFailure") | not input.written[name]["strategy.name"]],
	[pace.edit(name, seconds)],
))} if {
	seconds := instead(name)
} else := {"help": "no repair fits: what is long enough for this timeout is longer than retry-too-slow allows: set a shorter timeout"} if {
	pace.too_slow(pace.instead(name, lib.retry_interval(name)))
} else := {}

# What both this rule and retry-too-slow allow.
instead(name) := seconds if {
	seconds := pace.instead(name, lib.retry_interval(name))
	not pace.too_slow(seconds)
}
