# METADATA
# title: The retry starts before the failed release is gone
# description: |
#   Where a failed attempt is remediated by an uninstall, the next one starts as
#   soon as the uninstall is done. With `uninstall.disableWait` that is before its
#   objects are gone, so the new ones meet the terminating ones; with
#   `deletionPropagation: orphan` the old pods never go at all and run beside the
#   new ones.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#uninstall-configuration
#   description: Uninstall configuration
# custom:
#   help: Remove the setting, so that the uninstall waits until its objects are gone.
#   severity: {production: warning, staging: info, development: "off"}
#   since: 0.1.0
#   scenario: install-fails
#   cel:
#   - at: spec.uninstall.disableWait
#     fault: >-
#       r.uninstall.disableWait && (r.install.strategy == 'RemediateOnFailure' && r.install.retries != 0 ||
#       r.upgrade.strategy == 'RemediateOnFailure' && (r.upgrade.retries != 0 ||
#       r.upgrade.remediateLastFailure) && r.upgrade.remediation == 'uninstall')
#   - at: spec.uninstall.deletionPropagation
#     fault: >-
#       r.uninstall.deletionPropagation == 'orphan' && (r.install.strategy == 'RemediateOnFailure' &&
#       r.install.retries != 0 || r.upgrade.strategy == 'RemediateOnFailure' && (r.upgrade.retries != 0 ||
#       r.upgrade.remediateLastFailure) && r.upgrade.remediation == 'uninstall')
package remedy.rules.recovery["cleanup-not-awaited"]

import data.remedy.lib

report contains lib.fixed(path, message, lib.unsafe([lib.remove(path)])) if {
	count(reinstalled) > 0
	some {"key": key, "consequence": consequence} in leftovers
	path := ["spec", "uninstall", key]
	message := sprintf("the attempt after a failed %s starts while %s", [concat(" or ", reinstalled), consequence])
}

leftovers contains {
	"key": "disableWait",
	"consequence": "the objects of the failed one are still terminating, and fails on names and volumes that are not free yet",
} if {
	input.effective.uninstall.disableWait
}

leftovers contains {
	"key": "deletionPropagation",
	"consequence": "the pods of the failed one go on running without an owner",
} if {
	input.effective.uninstall.deletionPropagation == "orphan"
}

# The halves that are uninstalled after a failure and then installed again.
reinstalled := [name | some name in ["install", "upgrade"]; lib.uninstalls[name]; again(name)]

again("install") if input.effective.install.retries != 0

again("upgrade")
