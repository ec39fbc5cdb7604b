# METADATA
# title: Messages and fixes of recovery
# description: What rules of the category recovery share in their messages and fixes.
package remedy.lib.recovery

# regal ignore:pointless-import
import data.remedy.lib
import data.remedy.lib.api
import data.remedy.lib.chart
import data.remedy.lib.class

# The halves whose first failure is final: they are not tried again. An upgrade whose
# only failure is remediated is not among them; a rule of its own reports that.
final contains "install" if {
	lib.remediate(input.effective.install)
	input.effective.install.retries == 0
}

final contains "upgrade" if {
	lib.remediate(input.effective.upgrade)
	input.effective.upgrade.retries == 0
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
# preference, with two exceptions. Without strategies, before helm-controller 1.4.0,
# it is bounded. For a chart that holds data it is retry, because bounded uninstalls
# a failed install.
preferred_class := "bounded" if {
	not api.has("1.4.0")
} else := "bounded" if {
	input.prefer == "bounded"
	not chart.stateful
} else := "retry"

# The edits that bring a release to the preferred class, given the halves that do not
# retry yet.
repair(names) := by_retry(names) if {
	preferred_class == "retry"
} else := _by_bounds

# The edits that make these halves retry. They remove the remediation settings, which
# have no effect then.
by_retry(names) := array.concat(
	[lib.set(lib.at(name, ["strategy", "name"]), "RetryOnFailure") | some name in names],
	[lib.remove(path) | some name in names; some path in _dead_remediation(name)],
)

_dead_remediation(name) := [path | some path in fields; lib.written(path)] if {
	lib.written(lib.at(name, ["remediation", "ignoreTestFailures"]))
	fields := [lib.at(name, ["remediation", key]) | some key in ["retries", "remediateLastFailure", "strategy"]]
} else := [path] if {
	path := lib.at(name, ["remediation"])
	lib.written(path)
} else := []

# The edits that bring both halves to class bounded. The strategies are set
# explicitly, so that the controller's gate does not change them.
_by_bounds := array.flatten([_bounds("install"), _bounds("upgrade"), _rolled_back])

_bounds(name) := array.flatten([
	[lib.remove(path) | path := lib.at(name, ["strategy", "retryInterval"]); lib.written(path)],
	[lib.set(lib.at(name, ["strategy", "name"]), "RemediateOnFailure") | api.has("1.4.0")],
	[lib.set(lib.at(name, ["remediation", "retries"]), _retries_for(name))],
])

_rolled_back := [lib.set(path, value) |
	some key, value in {"remediateLastFailure": true, "strategy": "rollback"}
	path := ["spec", "upgrade", "remediation", key]
	lib.value(path, value) != value
]

# The retries of a half if they are within the law, else a number like the other
# half's.
_retries_for("install") := _retries_of(input.effective.install, input.effective.upgrade)

_retries_for("upgrade") := _retries_of(input.effective.upgrade, input.effective.install)

_retries_of(half, other) := half.retries if {
	class.within_budget(half)
} else := retries_like(other)

# The retries of the other half if they are within the law, else 3 or the law's limit
# if that is less.
retries_like(half) := half.retries if {
	class.within_budget(half)
} else := min([3, input.law.maxRetries])
