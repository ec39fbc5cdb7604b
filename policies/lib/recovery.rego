# METADATA
# title: Messages and fixes of recovery
# description: What rules of the category recovery share in their messages and fixes.
package remedy.lib.recovery

# regal ignore:pointless-import
import data.remedy.lib
import data.remedy.lib.api
import data.remedy.lib.chart
import data.remedy.lib.class
import data.remedy.lib.pace

# The halves whose first failure is final: they are not tried again. An upgrade whose
# only failure is remediated is not among them; a rule of its own reports that.
final contains "install" if {
	input.effective.install.retries == 0
	lib.remediate("install")
}

final contains "upgrade" if {
	input.effective.upgrade.retries == 0
	lib.remediate("upgrade")
	not input.effective.upgrade.remediateLastFailure
}

halts := "Flux does not try again until a human changes something"

stalled := sprintf("Stalled with RetriesExceeded and %s", [halts])

# What is left on the cluster after the last failure of a half.
left("install") := "the failed release stays on the cluster" if {
	not input.effective.install.remediateLastFailure
} else := "nothing is left on the cluster"

left("upgrade") := "the failed version stays on the cluster" if {
	not input.effective.upgrade.remediateLastFailure
} else := "the previous version is back on the cluster"

# The class that a fix leads to where both are possible: the configuration's
# preference, with two exceptions. Without strategies, before helm-controller 1.4.0 or
# where its version cannot be read, it is bounded. For a chart that holds data it is retry, because bounded uninstalls
# a failed install.
preferred_class := "bounded" if {
	not api.writes_strategies
} else := "bounded" if {
	input.prefer == "bounded"
	not chart.stateful
} else := "retry"

# Of two fixes, the one that brings a release to the preferred class, with the other one where
# that class is accepted as well.
either(retrying, bounding) := _with_other(retrying, "bounded", bounding) if {
	preferred_class == "retry"
	not chart.stateful
} else := retrying if {
	preferred_class == "retry"
} else := _with_other(bounding, "retry", retrying) if {
	api.writes_strategies
} else := bounding

# completed returns a fix whose release is of the given class in one half: it brings the other half to
# that class, too. Only spec.fix.prefer makes it bring both halves to the other class instead.
completed("bounded", fix) := _turned(fix, "bounded", lib.unsafe(by_retry(both)), "retry") if {
	api.writes_strategies
} else := fix

completed("retry", fix) := _turned(fix, "retry", lib.unsafe(by_bounds), "bounded") if {
	not chart.stateful
} else := fix

_turned(fix, class, other, other_class) := _with_other(other, class, fix) if {
	input.prefer == other_class
} else := _with_other(fix, other_class, other)

_with_other(fix, class, other) := object.union(fix, {"other": object.union(other, {"class": class})})

both := ["install", "upgrade"]

# The fix that makes these halves retry. It is safe, but where no retry interval that it could write fits the timeout:
# then that is what to change.
retried(names) := lib.unsafe(by_retry(names)) if {
	some name in names
	pace.unfit(name)
} else := lib.safe(by_retry(names))

# The edits that make these halves retry, with a retry interval where the default would be too
# short. They remove the remediation settings, which have no effect then.
by_retry(names) := array.concat(
	[edit | some name in names; some edit in _retrying(name)],
	[lib.remove(path) | some name in names; some path in _dead_remediation(name)],
)

_retrying(name) := array.concat(
	[lib.set(lib.at(name, ["strategy", "name"]), "RetryOnFailure")],
	[pace.edit(name, seconds) | not input.written[name]["strategy.retryInterval"]; seconds := pace.instead(name, pace.default_interval)],
)

_dead_remediation(name) := [path |
	some key in ["retries", "remediateLastFailure", "strategy"]
	not _kept(name, key)
	lib.remediation_written(key, name)
	path := lib.at(name, ["remediation", key])
] if {
	some key in ["ignoreTestFailures", "retries"]
	_kept(name, key)
	lib.remediation_written(key, name)
} else := [lib.at(name, ["remediation"])] if {
	input.written[name].remediation
} else := []

# Reports whether a setting of the remediation has an effect where both halves retry.
# Retries of the install below zero do: a Helm release that somebody removes while it
# fails is installed again.
_kept(_, "ignoreTestFailures")

_kept("install", "retries") if input.object.spec.install.remediation.retries < 0

# The edits that bring both halves to class bounded. The strategies are set
# explicitly, so that the controller's gate does not change them. The install of a chart
# that holds data is left out, because its remediation is an uninstall.
by_bounds := array.flatten([_install_bounds, _bounds("upgrade"), _rolled_back])

_install_bounds := [] if {
	chart.stateful
} else := _bounds("install")

# Says why the install of a chart that holds data is left as it is: without strategies,
# before helm-controller 1.4.0, nothing repairs it without an uninstall.
install_left := {"help": concat("", [
	"no repair of the install is safe: its remediation would uninstall the data of this chart, ",
	"and RetryOnFailure needs helm-controller 1.4.0 (Flux 2.7): upgrade to that, or waive this rule until then",
])} if {
	chart.stateful
	not api.writes_strategies
} else := {}

_bounds(name) := array.flatten([
	[lib.remove(lib.at(name, ["strategy", "retryInterval"])) | input.written[name]["strategy.retryInterval"]],
	[lib.set(lib.at(name, ["strategy", "name"]), "RemediateOnFailure") | api.writes_strategies],
	[lib.set(lib.at(name, ["remediation", "retries"]), _retries_for(name))],
])

_rolled_back := array.concat(
	[lib.set(lib.at("upgrade", ["remediation", "remediateLastFailure"]), true) |
		input.object.spec.upgrade.remediation.remediateLastFailure != true
	],
	[lib.set(lib.at("upgrade", ["remediation", "strategy"]), "rollback") |
		input.object.spec.upgrade.remediation.strategy != "rollback"
	],
)

# The retries of a half if they are within the law, else a number like the other
# half's.
_retries_for("install") := _retries_of("install", "upgrade")

_retries_for("upgrade") := _retries_of("upgrade", "install")

_retries_of(half, other) := lib.retries(half) if {
	class.within_budget(half)
} else := retries_like(other)

# The retries of the other half if they are within the law, else 3 or the law's limit
# if that is less.
retries_like(half) := lib.retries(half) if {
	class.within_budget(half)
} else := min([3, input.law.maxRetries])
