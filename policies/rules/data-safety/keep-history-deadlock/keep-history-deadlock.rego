# METADATA
# title: The kept history blocks the reinstall
# description: |
#   `uninstall.keepHistory` keeps the record of an uninstalled release. After an
#   uninstall as remediation the next install fails with "cannot reuse a name that
#   is still in use" before Helm writes anything: the failure is not counted, so
#   it is tried forever, and a new commit does not help either.
#
#   Do not keep the history, or let the install replace the record with
#   `install.replace: true`.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#uninstall-configuration
#   description: Uninstall configuration
# custom:
#   help: 'Do not keep the history, or set install.replace: true.'
#   severity: {production: error, staging: warning, development: info}
#   since: 0.1.0
#   scenario: install-fails
#   cel:
#   - at: spec.uninstall.keepHistory
#     fault: >-
#       r.uninstall.keepHistory && !r.install.replace && (r.install.strategy == 'RemediateOnFailure' &&
#       (r.install.retries != 0 || r.install.remediateLastFailure) ||
#       r.upgrade.strategy == 'RemediateOnFailure' && (r.upgrade.retries != 0 ||
#       r.upgrade.remediateLastFailure) && r.upgrade.remediation == 'uninstall')
package remedy.rules["data-safety"]["keep-history-deadlock"]

import data.remedy.lib

path := ["spec", "uninstall", "keepHistory"]

report contains lib.fixed(path, message, lib.unsafe([lib.remove(path)])) if {
	lib.deadlocked
	failing := [name | some name in ["install", "upgrade"]; lib.uninstalls[name]]
	count(failing) > 0
	message := sprintf(
		concat("", [
			"a failed %s is uninstalled but its record is kept, so the install after it fails with ",
			"\"cannot reuse a name that is still in use\": not counted, repeated forever, whatever is committed",
		]),
		[concat(" or ", failing)],
	)
}
