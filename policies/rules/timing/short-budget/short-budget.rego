# METADATA
# title: The retries are used up in seconds
# description: |
#   Retries under `RemediateOnFailure` are not spaced by an interval: the waits
#   between them are 0.75 seconds doubled each time, and 10 seconds after each
#   remediation. Attempts that fail at once, because an admission webhook is down or a
#   quota is used up, spend few retries before anybody has looked: a refusal of half a
#   minute then leaves the release Stalled.
#
#   Allow more retries (each doubles the wait), or use `RetryOnFailure`, which never
#   gives up.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-remediation
#   description: Upgrade remediation
# custom:
#   severity: {production: info, staging: "off", development: "off"}
#   scenario: upgrade-refused
#   params:
#     min: {type: duration, default: 30s, description: The shortest refusal that the retries must outlive.}
package remedy.rules.timing["short-budget"]

import data.remedy.lib
import data.remedy.lib.class

params := input.params["short-budget"]

report contains lib.finding(lib.at(name, ["remediation", "retries"]), message) if {
	class.name == "bounded"
	some name, half in lib.halves
	not blocked(name)
	spent(half) < params.min
	message := sprintf("%s of an %s that fails at once are over after %s: what is refused for longer than that leaves the release Stalled; at least %s are wanted", [
		lib.plural(half.retries + 1, "attempt"), name, lib.duration(spent(half)), lib.duration(params.min),
	])
}

# Reports whether the first uninstall is the end, which another rule reports.
blocked("install") if lib.deadlocked

# How long the attempts of a half take if each fails after a second.
spent(half) := sum([half.retries + 1, 10 * half.retries, lib.backoffs(half.retries)])
