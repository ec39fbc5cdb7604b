# METADATA
# title: Words of recovery
# description: What rules about recovery say and repair in the same way.
package remedy.lib.recovery

# regal ignore:pointless-import
import data.remedy.lib
import data.remedy.lib.api
import data.remedy.lib.chart
import data.remedy.lib.class

# The halves whose first failure is final. An upgrade without retries that is
# remediated all the same has a rule of its own.
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

# What is left on the cluster when a half gives up after its last failure.
left("install") := "the failed release stays on the cluster" if {
	not input.effective.install.remediateLastFailure
} else := "nothing is left on the cluster"

left("upgrade") := "the failed version stays on the cluster" if {
	not input.effective.upgrade.remediateLastFailure
} else := "the previous version is back on the cluster"

# The class that a fix leads to where it has the choice: what the configuration
# prefers. A chart that holds data is never uninstalled to be tried again, and
# nothing retries under a controller that has no strategies.
preferred_class := "bounded" if {
	not api.has("1.4.0")
} else := "bounded" if {
	input.prefer == "bounded"
	not chart.stateful
} else := "retry"

# The edits for a release of which these halves do not retry.
repair(names) := by_retry(names) if {
	preferred_class == "retry"
} else := _by_bounds

# The edits that make these halves retry, and take away the remediation that
# would be read as if it still worked.
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

# The edits that bound both halves and roll every failed upgrade back. The
# strategies are written, so that the controller's gate does not change them.
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

# The retries that a half has or, failing that, those of the other one.
_retries_for("install") := _retries_of(input.effective.install, input.effective.upgrade)

_retries_for("upgrade") := _retries_of(input.effective.upgrade, input.effective.install)

_retries_of(half, other) := half.retries if {
	class.within_budget(half)
} else := retries_like(other)

# A number of retries for one half that fits the other one.
retries_like(half) := half.retries if {
	class.within_budget(half)
} else := min([3, input.law.maxRetries])
