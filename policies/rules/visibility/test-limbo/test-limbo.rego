# METADATA
# title: A failed test is neither accepted nor remediated
# description: |
#   `remediation.ignoreTestFailures: true` says that a failed test is no reason to
#   do anything, `test.ignoreFailures` (false) that it decides whether the release
#   is Ready. Together they leave it in between: Ready=False with TestFailed, not
#   Stalled, not retried, for as long as the version stays.
#
#   Set `test.ignoreFailures: true` if tests are only a report, or remove the
#   override if they are to count.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#test-configuration
#   description: Test configuration
# custom:
#   help: 'Set test.ignoreFailures: true if tests only inform, or remove the override.'
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: test-fails
#   cel:
#   - at: spec.install.remediation.ignoreTestFailures
#     fault: r.test.enable && !r.test.ignoreFailures && r.install.ignoreTestFailures
#   - at: spec.upgrade.remediation.ignoreTestFailures
#     fault: r.test.enable && !r.test.ignoreFailures && r.upgrade.ignoreTestFailures
package remedy.rules.visibility["test-limbo"]

import data.remedy.lib

report contains lib.finding(lib.at(name, ["remediation", "ignoreTestFailures"]), message) if {
	input.effective.test.enable
	not input.effective.test.ignoreFailures
	some name in lib.names
	input.effective[name].ignoreTestFailures
	message := sprintf("when a test fails after an %s the release stays Ready=False with TestFailed: it is not Stalled, not retried and not remediated", [
		name,
	])
}
