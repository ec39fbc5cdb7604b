# METADATA
# title: A restart of the controller in mid-upgrade loses the rollback target
# description: |
#   A limit of the class bounded that no setting removes. The controller finds the
#   release to roll back to in `.status.history`, not in Helm's storage. If it is
#   killed or restarted while an upgrade runs (no memory, a lost node, an update of
#   Flux itself) it clears that history. Should the upgrade fail once more after
#   that, there is nothing to roll back to: the release is Stalled with
#   MissingRollbackTarget, although the good revision is still in Helm's storage.
#   A first install that is interrupted and then fails ends the same way: its next
#   attempt is an upgrade, and the retries of the install are not used.
#
#   `RetryOnFailure` does not need the history. If you want rollbacks, alert on the
#   reason MissingRollbackTarget of the Stalled condition.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-remediation
#   description: Upgrade remediation
# custom:
#   help: Alert on the reason MissingRollbackTarget, or use RetryOnFailure.
#   severity: {production: info, staging: "off", development: "off"}
#   since: 0.1.0
#   scenario: killed-in-upgrade-then-fails
package remedy.rules.recovery["bounded-restart-limit"]

import data.remedy.lib
import data.remedy.lib.class

report contains lib.finding(["spec", "upgrade", "remediation"], message) if {
	class.name == "bounded"
	not input.effective.upgrade.disableWait # nothing is left to interrupt
	message := concat("", [
		"if the controller restarts in the middle of an upgrade, or of the first install, and the next attempt fails, ",
		"the release is Stalled with MissingRollbackTarget instead of rolled back or installed again",
	])
}
