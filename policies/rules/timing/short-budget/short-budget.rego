# METADATA
# title: The retries are used up in seconds
# description: |
#   Retries under `RemediateOnFailure` are not spaced by an interval: the waits
#   between them are 0.75 seconds doubled each time, and 10 seconds after each
#   remediation. Attempts that fail at once, because an admission webhook is down or a
#   quota is used up, spend few retries before anybody has looked: a refusal of half a
#   minute then leaves the release Stalled.
#
#   3 retries are over after 40 seconds for an upgrade and 46 seconds for an install,
#   5 after 81 and 104 seconds, 10 after a quarter and half an hour.
#
#   Allow more retries (each doubles the wait), or use `RetryOnFailure`, which never
#   gives up. An outage of a minute uses up 3 retries: set `min: 1m` to have those
#   reported, too.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-remediation
#   description: Upgrade remediation
# custom:
#   help: Allow more retries, or use RetryOnFailure.
#   severity: {production: info, staging: "off", development: "off"}
#   since: 0.1.0
#   scenario: upgrade-refused
#   params:
#     min: {type: duration, default: 30s, description: The shortest refusal that the retries must outlive.}
package remedy.rules.timing["short-budget"]

import data.remedy.lib
import data.remedy.lib.class

params := input.params["short-budget"]

report contains lib.graded(lib.finding(lib.at(name, ["remediation", "retries"]), message), 0 - spent(name)) if {
	class.name == "bounded"
	some name in lib.names
	not blocked(name)
	spent(name) < params.min
	message := sprintf("%s of an %s that fails at once are over after %s: what is refused for longer than that leaves the release Stalled; at least %s are wanted", [
		lib.plural(lib.retries(name) + 1, "attempt"), name, lib.duration(spent(name)), lib.duration(params.min),
	])
}

# Reports whether the first uninstall is the end, which another rule reports.
blocked("install") if lib.deadlocked

# How long the attempts of a half take if each fails after a second. The wait of a new
# object for its first reconcile is the first backoff.
spent("install") := sum([lib.retries("install") + 1, 10.1 * lib.retries("install"), last * 0.1, lib.backoffs(lib.retries("install") + 1)])

spent("upgrade") := sum([lib.retries("upgrade") + 1, 10.3 * lib.retries("upgrade"), 0.3, lib.backoffs(lib.retries("upgrade"))])

# Reports as a number whether the last failure is remediated too.
last := 1 if lib.remediates_last("install")

last := 0 if not lib.remediates_last("install")
