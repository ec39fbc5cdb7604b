# METADATA
# title: A feature gate of the controller decides how the release recovers
# description: |
#   Where `strategy` is not written the controller's feature gate
#   `DefaultToRetryOnFailure` decides: with the gate off the `remediation` that is
#   written is in force, with the gate on it is dead and the release is retried
#   without a rollback. The meaning of the file changes when somebody changes an
#   argument of the controller.
#
#   It is an info where the repository or the configuration says which controller
#   acts, and so how the gate stands, and a warning where that is not known.
#   Where the gate is on and a rollback that is written would never take place the
#   finding is an error. A release that does not recover as the gate stands now has
#   findings of other rules, and not this one.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/options/#feature-gates
#   description: Feature gates of helm-controller
# custom:
#   help: Set strategy.name for install and upgrade, so that no gate decides.
#   severity: {production: info, staging: "off", development: "off"}
#   since: 0.1.0
#   raise: 2
#   scenario: upgrade-fails
#   accepted: true
package remedy.rules.recovery["gate-dependent"]

import data.remedy.lib
import data.remedy.lib.api
import data.remedy.lib.class
import data.remedy.lib.recovery

report contains object.union_n([lib.finding(path, message), raised, fix, help]) if {
	api.strategies
	class.name in {"retry", "bounded"} # other rules report on those that recover from less
	class.name != class.flipped
}

# The halves that set a remediation and no strategy, the upgrade first.
implicit := [name |
	some name in ["upgrade", "install"]
	input.written[name].remediation
	undecided(name)
]

# Reports whether a half sets no strategy, so that the controller's gate decides.
undecided(name) if not input.written[name].strategy

path := lib.at(implicit[0], ["remediation"])

message := "the rollback that is written here never takes place: the controller's gate DefaultToRetryOnFailure makes a failed upgrade retried without it" if {
	dead_rollback
} else := sprintf("with the controller's gate DefaultToRetryOnFailure %s a failed %s is %s; with the gate %s it is %s", [
	state[enabled], implicit[0], handled(implicit[0]), opposite[enabled], handled({"flipped": implicit[0]}),
])

default help := {}

help := {"help": "no repair is safe while the version of helm-controller is not known, since strategy.name needs 1.4.0: set spec.controller.version"} if {
	not enabled
	class.name == "bounded"
	not input.controller.versionKnown
}

enabled := input.controller.defaultToRetryOnFailure

state := {true: "on", false: "off"}

opposite := {true: "off", false: "on"}

handled(half) := sprintf("retried every %s without a remediation", [lib.duration(lib.retry_interval(half))]) if {
	lib.retry(half)
} else := sprintf("followed by %s", [lib.remedy(half)]) if {
	lib.live(half)
} else := "final"

raised := {"raise": 2} if {
	dead_rollback
} else := {"raise": 1} if {
	not input.controller.known
} else := {}

# Reports whether the gate is on and disables a rollback that would happen without it.
dead_rollback if {
	enabled
	"upgrade" in implicit
	lib.live({"flipped": "upgrade"})
	input.flipped.upgrade.remediation == "rollback"
}

# With the gate off, setting the strategy keeps the present behaviour, if the controller
# is known to have the field.
fix := {"fix": lib.safe(remediated)} if {
	not enabled
	api.at_least("1.4.0")
	class.name == "bounded"
} else := {"fix": recovery.either(retried, lib.unsafe(remediated))} if {
	# With the gate on, the preferred class decides: either the present retry is set
	# explicitly, or the rollback is restored.
	enabled
	class.flipped == "bounded"
} else := {"fix": retried} if {
	enabled
	recovery.preferred_class == "retry"
} else := {}

retried := lib.unsafe(recovery.by_retry(undecided_halves))

undecided_halves := [name | some name in ["install", "upgrade"]; undecided(name)]

remediated := [lib.set(lib.at(name, ["strategy", "name"]), "RemediateOnFailure") | some name in undecided_halves]
