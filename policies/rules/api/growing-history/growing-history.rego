# METADATA
# title: Each retry makes the status of the release longer
# description: |
#   helm-controller 1.4.0 to 1.4.4 knows `RetryOnFailure` but never shortens
#   `.status.history` while it retries: a release that keeps failing grows until
#   the API server refuses its status. 1.4.5 keeps five entries.
#
#   Update the controller. Until then the status of a release that is remediated
#   does not grow.
# related_resources:
# - ref: https://github.com/fluxcd/helm-controller/blob/main/CHANGELOG.md
#   description: Changelog of helm-controller
# custom:
#   help: Update helm-controller to 1.4.5 or newer.
#   severity: {production: warning, staging: info, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   aliases: [unsupported-strategy] # with unsupported-field
package remedy.rules.api["growing-history"]

import data.remedy.lib
import data.remedy.lib.api

report contains lib.finding(["spec", name, "strategy"], message) if {
	api.version == "v2"
	api.at_least("1.4.0")
	not api.at_least("1.4.5")
	name := [name | some name in ["upgrade", "install"]; lib.retry(name)][0]
	message := sprintf(
		concat("", [
			"helm-controller %s adds an entry to .status.history with each retry and never removes one: ",
			"a release that keeps failing grows until the API server refuses its status; 1.4.5 keeps five",
		]),
		[input.controller.version],
	)
}
