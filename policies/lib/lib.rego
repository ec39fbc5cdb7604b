# METADATA
# title: What rules share
# description: |
#   Findings and fixes, the two halves of a release (install and upgrade) and
#   what they do on failure, and durations and numbers in messages.
package remedy.lib

# A finding at a path, with a message of what would happen.
finding(path, message) := {"path": path, "message": message}

# The path of a field of a half: at("install", ["remediation", "retries"]).
at(half, fields) := array.concat(["spec", half], fields)

# Reports whether a field is set in the object. Null is not set, because the API
# server drops it.
written(path) if object.get(input.object, path, null) != null

# Reports whether an object has a key with a value other than null.
has(object_, key) if object.get(object_, key, null) != null

# The value set at a path of the object, or a default.
value(path, default_value) := object.get(input.object, path, default_value)

# The effective settings of the two halves, by name.
halves := {
	"install": input.effective.install,
	"upgrade": input.effective.upgrade,
}

# What decides on the recovery of a half. A half is its name, for one that is foreseen with the
# gate turned the other way {"flipped": name}, or settings in the shape of input.effective.install.
# Each is asked for by itself: what a rule reads is what its answer is remembered by.
names := ["install", "upgrade"]

strategy("install") := input.effective.install.strategy

strategy("upgrade") := input.effective.upgrade.strategy

strategy(half) := input.flipped[half.flipped].strategy

strategy(half) := half.strategy

retries("install") := input.effective.install.retries

retries("upgrade") := input.effective.upgrade.retries

retries(half) := input.flipped[half.flipped].retries

retries(half) := half.retries

retry_interval("install") := input.effective.install.retryInterval

retry_interval("upgrade") := input.effective.upgrade.retryInterval

retry_interval(half) := input.flipped[half.flipped].retryInterval

retry_interval(half) := half.retryInterval

remediation("install") := input.effective.install.remediation

remediation("upgrade") := input.effective.upgrade.remediation

remediation(half) := input.flipped[half.flipped].remediation

remediation(half) := half.remediation

# Reports whether the last failure of a half is remediated, too.
remediates_last("install") if input.effective.install.remediateLastFailure

remediates_last("upgrade") if input.effective.upgrade.remediateLastFailure

remediates_last(half) if input.flipped[half.flipped].remediateLastFailure

remediates_last(half) if half.remediateLastFailure

# Reports whether a field of the remediation of a half is set in the object.
remediation_written("ignoreTestFailures", name) if input.written[name]["remediation.ignoreTestFailures"]

remediation_written("remediateLastFailure", name) if input.written[name]["remediation.remediateLastFailure"]

remediation_written("retries", name) if input.written[name]["remediation.retries"]

remediation_written("strategy", name) if input.written[name]["remediation.strategy"]

# Reports whether there are effective settings: this one is always known where there are some.
resolved if is_boolean(input.effective.upgrade.replace)

# Reports whether a half is retried after a failure.
retry(half) if strategy(half) == "RetryOnFailure"

# Reports whether a half is remediated after a failure.
remediate(half) if strategy(half) == "RemediateOnFailure"

# Reports whether any failure of this half is remediated: one before a retry, or the
# last one.
live(half) if {
	remediate(half)
	retries(half) != 0
}

live(half) if {
	remediate(half)
	remediates_last(half)
}

# A duration in words that operators write: 90 -> "1m30s".
duration(seconds) := concat("", parts) if {
	total := round(seconds)
	total > 0
	clock := [["h", floor(total / 3600)], ["m", floor(total / 60) % 60], ["s", total % 60]]
	parts := [sprintf("%d%s", [hand[1], hand[0]]) | some hand in clock; hand[1] > 0]
} else := "0s" if {
	seconds == 0
} else := sprintf("%dms", [round(seconds * 1000)])

# The wait of the controller's queue after k earlier ones, in seconds: it doubles
# from 0.75 up to 15 minutes.
backoff(k) := 900 if {
	k > 10
} else := min([900, 0.75 * _pow2(k)])

# The sum of the first n waits, in seconds: each of the first eleven is one more than all before
# it, in steps of 0.75, and the others are the longest.
backoffs(n) := 0.75 * (_pow2(n) - 1) if {
	n in numbers.range(0, 11)
} else := (0.75 * (_pow2(11) - 1)) + (900 * (n - 11)) if {
	n > 11
} else := 0

_pow2(k) := bits.lsh(1, k)

# A number with its noun: 1 attempt, 2 attempts.
plural(1, noun) := sprintf("1 %s", [noun])

plural(n, noun) := sprintf("%d %ss", [n, noun]) if n != 1

# Reports whether the number of retries of a half limits its attempts. It does not
# under RetryOnFailure, nor if a failed upgrade is uninstalled: then the retries of
# the install count.
budgeted("install") if remediate("install")

budgeted("upgrade") if {
	remediate("upgrade")
	remediation("upgrade") == "rollback"
}

# The remediation of a half, in words.
remedy(half) := "an uninstall" if remediation(half) == "uninstall"

remedy(half) := "a rollback" if remediation(half) == "rollback"

# A finding about the key of a field, whatever its value is: the place to edit is that of the
# key, also where a variable supplies the value.
keyed(finding_) := object.union(finding_, {"key": true})

# A finding with a number that grows as it gets worse. The webhook denies an update
# that raises it, and to diff and baselines the finding is new then.
graded(finding_, degree) := object.union(finding_, {"degree": degree})

# A finding that the rule reports only since a version, which stands in its METADATA, in
# custom.tightened.
since(finding_, version) := object.union(finding_, {"since": version})

# A finding with a fix, which is made by safe or unsafe.
fixed(path, message, fix) := {"path": path, "message": message, "fix": fix}

# A fix after which nobody can want the old behaviour back.
safe(edits) := {"safe": true, "set": edits}

# A fix of settings that may be intentional.
unsafe(edits) := {"safe": false, "set": edits}

# The edit that sets a field.
set(path, value) := {"path": path, "value": value}

# The edit that removes a field.
remove(path) := {"path": path, "value": null}

# The halves whose failures may be remediated by an uninstall.
uninstalls["install"] if live("install")

uninstalls["upgrade"] if uninstalls_upgrade

# Reports whether a failed upgrade may be uninstalled.
uninstalls_upgrade if {
	input.effective.upgrade.remediation == "uninstall"
	live("upgrade")
}

# Reports whether a failed upgrade may be rolled back.
rolls_back if {
	input.effective.upgrade.remediation == "rollback"
	live("upgrade")
}

# Reports whether an uninstall leaves a record over which Helm does not install again.
deadlocked if {
	input.effective.uninstall.keepHistory
	not input.effective.install.replace
}
