# METADATA
# title: The retry interval is long
# description: |
#   Between the attempts of `RetryOnFailure` the failed version stays on the
#   cluster, and `spec.interval` is not in force. A retry interval that is longer
#   than `spec.interval`, or than the parameter, leaves a release broken for longer
#   than a healthy one goes unwatched, though the cause may be gone in a minute. What
#   `retry-too-fast` asks of a long timeout is not too long.
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

report contains object.union(lib.graded(lib.finding(lib.at(name, ["strategy", "retryInterval"]), message), lib.retry_interval(name)), raised(name)) if {
	some name in lib.names
	lib.retry(name)
	lib.retry_interval(name) > limit
	not needed(name)
	message := sprintf("after a failed %s the failed version stays for %s before the next attempt, longer than %s, %s", [
		name, lib.duration(lib.retry_interval(name)), lib.duration(limit), why,
	])
}

# Reports whether a shorter one would be too fast.
needed(name) if lib.retry_interval(name) == pace.fitting(input.effective[name].timeout)

raised(name) := {"raise": 2} if {
	lib.retry_interval(name) >= input.params["retry-too-slow"].hopeless
} else := {}

limit := min({longest, input.effective.interval}) if {
	input.effective.interval > 0
} else := longest

longest := input.params["retry-too-slow"].max

why := "the most that is allowed" if {
	limit == longest
} else := "the interval at which a healthy release is looked at"
