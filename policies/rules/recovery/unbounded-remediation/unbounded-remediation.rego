# METADATA
# title: Unlimited remediation retries
# description: |
#   With negative retries a failing upgrade goes forward and back between two
#   versions, and a failing install is installed and uninstalled, for as long as
#   the cause lasts, with up to 15 minutes between the attempts. A failure that goes
#   away needs no human. But all that runs is replaced with each attempt, a restart
#   of the controller in mid-upgrade can end the loop Stalled, without a rollback
#   target, and no limit ever says that this needs somebody.
#
#   Use `RetryOnFailure` on both halves: it tries again as long, and takes nothing
#   away in between. A number of retries is the other class that is accepted: the
#   release is Stalled when they are used up, and then needs a human.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-remediation
#   description: Upgrade remediation
# custom:
#   help: Use RetryOnFailure for install and upgrade, or give both a number of retries.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   hides: [last-failure-left]
#   nearer: [too-many-retries, slow-recovery]
#   cel:
#   - at: spec.install.remediation.retries
#     fault: r.install.strategy == 'RemediateOnFailure' && r.install.retries < 0
#   - at: spec.upgrade.remediation.retries
#     fault: >-
#       r.upgrade.strategy == 'RemediateOnFailure' && r.upgrade.remediation == 'rollback' &&
#       r.upgrade.retries < 0
package remedy.rules.recovery["unbounded-remediation"]

import data.remedy.lib
import data.remedy.lib.chart
import data.remedy.lib.recovery

report contains object.union_n([lib.finding(["spec", name, "remediation", "retries"], message(name)), object.get(repairs, name, {}), help(name)]) if {
	some name in lib.names
	lib.budgeted(name)
	lib.retries(name) < 0
}

message("install") := "a failing install is uninstalled and tried again forever, with up to 15m between attempts: all that it has created is deleted each time"

message("upgrade") := concat("", [
	"a failing upgrade is rolled back and tried again forever, with up to 15m between attempts: the release goes back and forth ",
	"between two versions, and a restart of the controller in mid-upgrade can leave it Stalled without a rollback target",
])

help("install") := recovery.install_left

help("upgrade") := {}

# Where both halves can retry, no failure needs a human that did not need one before. A
# limit is the other way: the release is Stalled when it is reached.
repairs[name] := {"fix": recovery.either(lib.unsafe(recovery.by_retry(remediated)), limited(name))} if {
	recovery.preferred_class == "retry"
	some name in remediated
}

repairs[name] := {"fix": recovery.either(lib.unsafe(recovery.by_retry(remediated)), limited(name))} if {
	recovery.preferred_class != "retry"
	some name in remediated
	not uninstalled[name]
}

limited(name) := lib.unsafe([lib.set(["spec", name, "remediation", "retries"], recovery.retries_like(other[name]))])

# A limit would uninstall the data of the chart.
uninstalled contains "install" if chart.stateful

other := {"install": "upgrade", "upgrade": "install"}

remediated := [name | some name in ["install", "upgrade"]; lib.remediate(name)]
