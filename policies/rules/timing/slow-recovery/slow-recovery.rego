# METADATA
# title: A failing release takes long to settle
# description: |
#   Each attempt and each remediation may take up to its timeout, and the waits
#   between the attempts double. The sum is how long a release that keeps failing
#   goes forward and back, in the worst case, before it is Stalled and an alert on
#   that can fire. From a day on it is an error: by then a human has put it right.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#timeout
#   description: Timeout
# custom:
#   help: Lower the retries or the timeout.
#   severity: {production: warning, staging: info, development: "off"}
#   since: 0.1.0
#   raise: 1
#   scenario: upgrade-fails
#   params:
#     max: {type: duration, default: 2h, description: The longest time until the last attempt has failed and is remediated.}
#     hopeless: {type: duration, default: 24h, description: The time from which on it is an error.}
package remedy.rules.timing["slow-recovery"]

import data.remedy.lib

params := input.params["slow-recovery"]

report contains object.union(lib.graded(lib.finding(lib.at(name, ["remediation", "retries"]), message), window(name)), raised(name)) if {
	some name in lib.names
	lib.budgeted(name)
	lib.retries(name) > 0
	lib.retries(name) <= input.law.maxRetries
	not input.effective[name].disableWait
	not blocked(name)
	window(name) > params.max
	message := sprintf("a failing %s is Stalled after %s, and after %s if each %s takes its timeout, too: %s of %s, and the waits between them; at most %s are allowed", [
		name, told(quickest(name)), exceeding(window(name)), lib.remediation(name),
		lib.plural(lib.retries(name) + 1, "attempt"), lib.duration(input.effective[name].timeout), lib.duration(params.max),
	])
}

raised(name) := {"raise": 1} if {
	window(name) >= params.hopeless
} else := {}

# Reports whether the first remediation of a half is its end, which another rule
# reports.
blocked("install") if lib.deadlocked

window(name) := total(name, undo(name))

# The same if the remediations succeed, in the time that the forecast assumes.
quickest(name) := total(name, min([30, undo(name)]))

total(name, remediation) := sum([
	(lib.retries(name) + 1) * input.effective[name].timeout,
	remediations(name) * remediation,
	waits(name, lib.retries(name)),
	settling * lib.retries(name),
])

# A duration as forecasts tell it: from an hour on in minutes.
told(seconds) := lib.duration(60 * round(seconds / 60)) if {
	seconds >= 3600
} else := lib.duration(seconds)

# A duration above the largest that is allowed, told so that it is above it.
exceeding(seconds) := told(seconds) if {
	60 * round(seconds / 60) > params.max
} else := lib.duration(ceil(seconds))

remediations(name) := lib.retries(name) + 1 if {
	lib.remediates_last(name)
} else := lib.retries(name)

# How long the remediation of a half may take.
undo(name) := input.effective[lib.remediation(name)].timeout

# The waits between attempts. A new object has had the first wait of the queue before
# its first install.
waits("install", retries) := lib.backoffs(retries + 1) - lib.backoff(0)

waits("upgrade", retries) := lib.backoffs(retries)

# How long the controller waits for its cache after a remediation, before the next
# attempt, in seconds.
settling := 10
