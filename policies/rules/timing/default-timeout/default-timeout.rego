# METADATA
# title: The default timeout decides when an attempt has failed
# description: |
#   Under `RemediateOnFailure` an attempt that is not ready in time is undone, and
#   counts. Where no timeout is set, that time is 5 minutes for everything from
#   a web server to a database cluster: a slow start (a new node, a large image, a
#   migration) is a failure, remediated, and repeated until the budget is
#   used up.
#
#   Write down how long this release may take to become ready.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#timeout
#   description: Timeout
# custom:
#   help: Set spec.timeout to how long the release may take to become ready.
#   severity: {production: info, staging: "off", development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
package remedy.rules.timing["default-timeout"]

import data.remedy.lib

report contains object.union(lib.finding(["spec", "timeout"], message), {"scenario": sprintf("%s-fails", [names[count(names) - 1]])}) if {
	not input.written.timeout[""]
	count(data.remedy.rules.timing["zero-timeout"].report) == 0
	names := [name | some name in ["install", "upgrade"]; counted(name)]
	count(names) > 0
	message := sprintf("an %s that is not ready within the default of %s counts as failed and is undone by %s, even if it was about to become ready", [
		concat(" or ", names), lib.duration(input.effective.timeout), concat(" or ", {lib.remedy(name) | some name in names}),
	])
}

# Reports whether an attempt of a half fails at the default timeout and counts against
# its retries.
counted(name) if {
	lib.remediate(name)
	lib.retries(name) != 0
	not input.effective[name].disableWait
	not input.written[name].timeout
}
