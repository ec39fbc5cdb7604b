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

# Reports whether a half is retried after a failure.
retry(half) if half.strategy == "RetryOnFailure"

# Reports whether a half is remediated after a failure.
remediate(half) if half.strategy == "RemediateOnFailure"

# Reports whether any failure of this half is remediated: one before a retry, or the
# last one.
live(half) if {
	remediate(half)
	half.retries != 0
}

live(half) if {
	remediate(half)
	half.remediateLastFailure
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

# The sum of the first n waits, in seconds.
backoffs(n) := sum([backoff(k) | some k in numbers.range(0, n - 1)]) if {
	n > 0
} else := 0

_pow2(k) := bits.lsh(1, k)

# A number with its noun: 1 attempt, 2 attempts.
plural(1, noun) := sprintf("1 %s", [noun])

plural(n, noun) := sprintf("%d %ss", [n, noun]) if n != 1

# Reports whether the number of retries of a half limits its attempts. It does not
# under RetryOnFailure, nor if a failed upgrade is uninstalled: then the retries of
# the install count.
budgeted("install") if remediate(input.effective.install)

budgeted("upgrade") if {
	remediate(input.effective.upgrade)
	input.effective.upgrade.remediation == "rollback"
}

# The remediation of a half, in words.
remedy(half) := "an uninstall" if half.remediation == "uninstall"

remedy(half) := "a rollback" if half.remediation == "rollback"

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

# The first of some paths that is set in the object; the last path if none is.
first_written(paths) := array.concat([path | some path in paths; written(path)], [paths[count(paths) - 1]])[0]

# The halves whose failures may be remediated by an uninstall.
uninstalls["install"] if live(input.effective.install)

uninstalls["upgrade"] if uninstalls_upgrade

# Reports whether a failed upgrade may be uninstalled.
uninstalls_upgrade if {
	live(input.effective.upgrade)
	input.effective.upgrade.remediation == "uninstall"
}

# Reports whether a failed upgrade may be rolled back.
rolls_back if {
	live(input.effective.upgrade)
	input.effective.upgrade.remediation == "rollback"
}

# Reports whether an uninstall leaves a record over which Helm does not install again.
deadlocked if {
	input.effective.uninstall.keepHistory
	not input.effective.install.replace
}
