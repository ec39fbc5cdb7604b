# METADATA
# title: Words of recovery
# description: What rules about recovery say and repair in the same way.
package lib.recovery

import data.lib

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

# The edits that make these halves retry, and take away the remediation that
# would be read as if it still worked.
by_retry(names) := array.concat(
	[lib.set(["spec", name, "strategy", "name"], "RetryOnFailure") | some name in names],
	[lib.remove(path) | some name in names; path := dead_remediation(name)],
)

dead_remediation(name) := path if {
	path := ["spec", name, "remediation"]
	lib.written(path)
	object.get(input.object, array.concat(path, ["ignoreTestFailures"]), null) == null
}

# A number of retries for one half that fits the other one.
retries_like(half) := half.retries if {
	lib.remediate(half)
	half.retries > 0
	half.retries <= input.params["too-many-retries"].max
} else := min([3, input.params["too-many-retries"].max])
