# METADATA
# title: A failed upgrade uninstalls the release
# description: |
#   With `upgrade.remediation.strategy: uninstall` a single failed upgrade removes
#   the working release: a full outage, and the loss of every PersistentVolumeClaim
#   and custom resource that the chart's templates create. Then the new version,
#   the one that just failed, is installed from scratch under the budget of
#   `spec.install`. More upgrade retries change nothing.
#
#   With the charts at hand (`--charts`, `--rendered`) the chart itself says what is lost and
#   what stays. Where nothing is, the outage remains, and the finding is one step milder.
#
#   Let an upgrade be rolled back, or retry it with `RetryOnFailure`.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-remediation
#   description: Upgrade remediation
# custom:
#   help: Let a failed upgrade be rolled back, or retry it with RetryOnFailure.
#   severity: {production: error, staging: warning, development: info}
#   raise: -1
#   since: 0.1.0
#   scenario: upgrade-fails
#   hides: [too-many-retries, unbounded-remediation, last-failure-left, rollback-without-retry, retry-then-rollback]
#   cel:
#   - at: spec.upgrade.remediation.strategy
#     fault: >-
#       r.upgrade.strategy == 'RemediateOnFailure' && (r.upgrade.retries != 0 ||
#       r.upgrade.remediateLastFailure) && r.upgrade.remediation == 'uninstall'
package remedy.rules["data-safety"]["uninstall-on-upgrade-failure"]

import data.remedy.lib
import data.remedy.lib.class
import data.remedy.lib.loss
import data.remedy.lib.recovery

path := ["spec", "upgrade", "remediation", "strategy"]

report contains finding if {
	lib.uninstalls_upgrade
	finding := object.union_n([lib.finding(path, message), fix, milder])
}

milder := {"raise": -1} if {
	loss.nothing
} else := {}

message := sprintf(
	"the first failed upgrade uninstalls the working release%s%s; then %s",
	[loss.along, loss.stays, reinstall],
)

# After the uninstall, the settings of the install decide how often it is tried.
reinstall := "nothing can be installed in its place" if {
	lib.deadlocked
} else := "the version that failed is installed anew, and the release may end Stalled with nothing installed" if {
	lib.retry("install")
} else := "the version that failed is installed anew, again and again, forever" if {
	input.effective.install.retries < 0
} else := sprintf("the version that failed is installed anew, in %s before the release is Stalled with RetriesExceeded", [
	lib.plural(input.effective.install.retries + 1, "attempt"),
])

# If everything else is bounded, a rollback is enough. If the install retries, a
# rollback might have no revision to return to, so the preferred class is set up.
fix := {"fix": lib.unsafe([lib.set(path, "rollback")])} if {
	class.of({
		"install": "install",
		"upgrade": {
			"strategy": input.effective.upgrade.strategy,
			"retries": input.effective.upgrade.retries,
			"remediateLastFailure": input.effective.upgrade.remediateLastFailure,
			"remediation": "rollback",
		},
	}) == "bounded"
} else := {"fix": recovery.either(lib.unsafe(recovery.by_retry(["upgrade"])), lib.unsafe(recovery.by_bounds))} if {
	lib.retry("install")
} else := {}
