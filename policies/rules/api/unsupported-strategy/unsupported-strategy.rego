# METADATA
# title: A strategy or another field that the controller does not know yet
# description: |
#   A field that is newer than the CRD in the cluster, or than the API version in
#   which the release is written, never reaches the controller: a plain apply
#   drops it and a server-side apply, as Flux does it, is refused. `strategy`
#   came with helm-controller 1.4.0 (Flux 2.7) and exists in `v2` only; without
#   it the release is remediated, or given up, instead of retried.
#
#   From 1.4.0 to 1.4.4 the controller knows `RetryOnFailure` but never shortens
#   `.status.history` while it retries (reported one step milder): 1.4.5 keeps
#   five entries.
# related_resources:
# - ref: https://github.com/fluxcd/helm-controller/blob/main/CHANGELOG.md
#   description: Changelog of helm-controller
# custom:
#   severity: {production: error, staging: warning, development: info}
#   raise: -1
package remedy.rules.api["unsupported-strategy"]

import data.remedy.lib
import data.remedy.lib.api

report contains lib.finding(field.path, message) if {
	not api.removed
	some name, since in api.newer
	some field in input.fields[name]
	message := sprintf("%s, so it never reaches the controller: %s", [lacking(api.dotted(field.path), since), consequence(name)])
}

report contains object.union(lib.finding(["spec", name, "strategy"], message), {"raise": -1}) if {
	api.version == "v2"
	api.at_least("1.4.0")
	not api.at_least("1.4.5")
	name := [name | some name in ["upgrade", "install"]; lib.retry(lib.halves[name])][0]
	message := sprintf(
		concat("", [
			"helm-controller %s adds an entry to .status.history with each retry and never removes one: ",
			"a release that keeps failing grows until the API server refuses its status; 1.4.5 keeps five",
		]),
		[input.controller.version],
	)
}

lacking(field, since) := sprintf("helm-controller %s does not have %s, which came with %s", [input.controller.version, field, since]) if {
	not api.at_least(since)
} else := sprintf("%s does not have %s", [api.version, field])

consequence(field) := sprintf("a failed %s is %s, whatever the strategy says", [name, handled(half)]) if {
	some name, half in lib.halves
	field == concat(".", [name, "strategy"])
} else := "it is dropped, and a server-side apply is refused"

handled(half) := sprintf("followed by %s", [lib.remedy(half)]) if {
	lib.live(half)
} else := "final"
