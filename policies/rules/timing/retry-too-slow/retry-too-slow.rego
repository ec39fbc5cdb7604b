# METADATA
# title: The retry interval is long
# description: |
#   Between the attempts of `RetryOnFailure` the failed version stays on the
#   cluster, and `spec.interval` is not in force. A retry interval that is longer
#   than `spec.interval`, or than the parameter, leaves a release broken for longer
#   than a healthy one goes unwatched, though the cause may be gone in a minute. Up to
#   the parameter, what `retry-too-fast` asks of a long timeout is not too long.
#
#   From a day on it is an error: nobody waits so long for the next attempt, so that a
#   human brings back what should recover by itself.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#configuring-failure-handling
#   description: Configuring failure handling
# custom:
#   help: Set a shorter strategy.retryInterval.
#   severity: {production: info, staging: "off", development: "off"}
#   since: 0.1.0
#   raise: 2
#   scenario: upgrade-fails
#   params:
#     max: {type: duration, default: 30m, description: The longest retry interval.}
#     hopeless: {type: duration, default: 24h, description: The retry interval from which on it is an error.}
package remedy.rules.timing["retry-too-slow"]

import data.remedy.lib
import data.remedy.lib.pace

report contains object.union(lib.graded(lib.finding(lib.at(name, ["strategy", "retryInterval"]), message), interval), raised(interval)) if {
	some name in lib.names
	lib.retry(name)
	interval := lib.retry_interval(name)
	interval > limit
	not asked_for(name, interval, limit, excusable)
	message := sprintf("after a failed %s the failed version stays for %s before the next attempt, longer than %s, %s", [
		name, lib.duration(interval), lib.duration(limit), why,
	])
}

# Reports whether retry-too-fast asks for more than the interval of the release, and for as much as this. What no
# timeout excuses is not left open by one that is not known.
asked_for(name, interval, allowed, most) if {
	pace.judged
	interval <= most
	timeout := input.effective[name].timeout
	pace.too_fast(timeout, allowed)
	interval <= pace.fitting(timeout)
}

# The longest interval that may be excused; what is hopeless is not.
excusable := min([longest, pace.longest, input.params["retry-too-slow"].hopeless - 1])

raised(interval) := {"raise": 2} if {
	interval >= input.params["retry-too-slow"].hopeless
} else := {}

limit := min({longest, input.effective.interval}) if {
	input.effective.interval > 0
} else := longest

longest := input.params["retry-too-slow"].max

why := "the most that is allowed" if {
	limit == longest
} else := "the interval at which a healthy release is looked at"
