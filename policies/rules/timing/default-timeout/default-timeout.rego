# METADATA
# title: The default timeout decides when an attempt has failed
# description: |
#   Under `RemediateOnFailure` an attempt that is not ready in time is undone, and
#   counts. Where no timeout is written that time is 5 minutes for everything from
#   a web server to a database cluster: a slow start (a new node, a large image, a
#   migration) is taken for a failure, remediated, and repeated until the budget is
#   used up.
#
#   Write down how long this release may take to become ready.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#timeout
#   description: Timeout
# custom:
#   severity: {production: warning, staging: info, development: "off"}
#   scenario: upgrade-fails
package remedy.rules.timing["default-timeout"]

import data.remedy.lib

report contains lib.finding(["spec", "timeout"], message) if {
	not lib.written(["spec", "timeout"])
	count(data.remedy.rules.timing["zero-timeout"].report) == 0
	names := [name | some name in ["install", "upgrade"]; counted(name)]
	count(names) > 0
	message := sprintf("an %s that is not ready within the default of %s counts as failed and is undone by %s, however well it was coming up", [
		concat(" or ", names), lib.duration(input.effective.timeout), concat(" or ", {lib.remedy(lib.halves[name]) | some name in names}),
	])
}

# Reports whether an attempt of a half fails at the default timeout and counts against
# its retries.
counted(name) if {
	lib.remediate(lib.halves[name])
	lib.halves[name].retries != 0
	not lib.written(lib.at(name, ["timeout"]))
}
