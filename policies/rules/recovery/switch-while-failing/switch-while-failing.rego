# METADATA
# title: Rollback is switched on while there is nothing to roll back to
# description: |
#   A rollback goes to the newest release of `.status.history` that was good. While
#   a release fails under `RetryOnFailure` only the five newest attempts are kept
#   there, so the good one is soon gone; after a failed first install there never
#   was one. If the next upgrade fails too, the release is Stalled with
#   MissingRollbackTarget.
#
#   Repair the release first, then switch. Only the webhook can tell, since it sees
#   the status of what the update replaces.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#configuring-failure-handling
#   description: Configuring failure handling
# custom:
#   help: Repair the release first, then switch.
#   severity: {production: warning, staging: info, development: "off"}
#   since: 0.1.0
package remedy.rules.recovery["switch-while-failing"]

import data.remedy.lib
import data.remedy.lib.class
import data.remedy.lib.update

report contains lib.finding(["spec", "upgrade"], message) if {
	update.failing
	update.installed
	rolls_back({"install": "install", "upgrade": "upgrade"})
	class.known(update.before)
	not rolls_back(update.before)
	not good_before
	message := concat("", [
		"this switches to rollback while the release is failing and no good release is left in its history: ",
		"if the next upgrade fails too it is Stalled with MissingRollbackTarget; repair the release first, then switch",
	])
}

# Reports whether failed upgrades are rolled back. A release whose install retries is
# left to retry-then-rollback.
rolls_back(halves) if {
	lib.remediate(halves.install)
	lib.live(halves.upgrade)
	lib.remediation(halves.upgrade) == "rollback"
}

# Reports whether a revision older than the newest was good.
good_before if {
	some i, release in update.history
	i > 0
	release.status in {"deployed", "superseded"}
}
