# METADATA
# title: Too many retries
# description: |
#   Each retry of an install is an uninstall and an install, each retry of an
#   upgrade a rollback and an upgrade, and each takes up to its timeout. With
#   many retries a release flaps between two versions for hours before it asks
#   for help. The most that is allowed is `spec.law.maxRetries` of the configuration.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-remediation
#   description: Upgrade remediation
# custom:
#   help: Lower the number of retries.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   moved: {max: maxRetries}
#   nearer: [slow-recovery]
#   cel:
#   - at: spec.install.remediation.retries
#     fault: r.install.strategy == 'RemediateOnFailure' && r.install.retries > r.law.maxRetries
#     degree: r.install.retries
#   - at: spec.upgrade.remediation.retries
#     fault: >-
#       r.upgrade.strategy == 'RemediateOnFailure' && r.upgrade.remediation == 'rollback' &&
#       r.upgrade.retries > r.law.maxRetries
#     degree: r.upgrade.retries
package remedy.rules.recovery["too-many-retries"]

import data.remedy.lib

report contains lib.graded(lib.fixed(path, message, lib.safe([lib.set(path, input.law.maxRetries)])), lib.retries(name)) if {
	some name in lib.names
	lib.budgeted(name)
	lib.retries(name) > input.law.maxRetries
	path := ["spec", name, "remediation", "retries"]
	message := sprintf("a failing %s is tried %d times with %s in between before it becomes Stalled: more than spec.law.maxRetries (%d%s)", [
		name, lib.retries(name) + 1, lib.remedy(name), input.law.maxRetries, by_default,
	])
}

by_default := ", the default" if {
	input.law.maxRetries == 10
} else := ""
