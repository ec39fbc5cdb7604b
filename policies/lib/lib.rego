# METADATA
# title: What rules share
# description: |
#   A rule says which field of the effective object is wrong and what would
#   happen; these are the words in which it does so.
package remedy.lib

# A finding at a field of the object.
finding(path, message) := {"path": path, "message": message}

# The field of a half: at("install", ["remediation", "retries"]).
at(half, fields) := array.concat(["spec", half], fields)

# Reports whether a field is written in the object; null is not, for the API
# server drops it.
written(path) if object.get(input.object, path, null) != null

# Reports whether an object has a key with a value.
has(object_, key) if object.get(object_, key, null) != null

# The value written at a field, or the default.
value(path, default_value) := object.get(input.object, path, default_value)

# The halves, by name.
halves := {
	"install": input.effective.install,
	"upgrade": input.effective.upgrade,
}

# Reports whether a half is retried after a failure.
retry(half) if half.strategy == "RetryOnFailure"

remediate(half) if half.strategy == "RemediateOnFailure"

# Reports whether a failure of this half is ever remediated.
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

# The wait before the k-th retry of the controller's queue, in seconds: it
# doubles from 0.75 up to 15 minutes.
backoff(k) := 900 if {
	k > 10
} else := min([900, 0.75 * _pow2(k)])

# All waits of n retries, in seconds.
backoffs(n) := sum([backoff(k) | some k in numbers.range(0, n - 1)]) if {
	n > 0
} else := 0

_pow2(k) := bits.lsh(1, k)

# One word or two: plural(1, "attempt") -> "1 attempt".
plural(1, noun) := sprintf("1 %s", [noun])

plural(n, noun) := sprintf("%d %ss", [n, noun]) if n != 1

# Reports whether the number of retries of a half decides how long it is
# remediated: not under RetryOnFailure, and not where an upgrade is remediated
# by an uninstall, after which the install decides.
budgeted("install") if remediate(input.effective.install)

budgeted("upgrade") if {
	remediate(input.effective.upgrade)
	input.effective.upgrade.remediation == "rollback"
}

# What happens after a failure of a half, in words.
remedy(half) := "an uninstall" if half.remediation == "uninstall"

remedy(half) := "a rollback" if half.remediation == "rollback"

# A finding with a number that grows as it gets worse, so that an update can be
# told from one that makes it worse.
graded(finding_, degree) := object.union(finding_, {"degree": degree})

# A finding with the edits that repair it. Safe means that nobody can want the
# old behaviour back.
fixed(path, message, fix) := {"path": path, "message": message, "fix": fix}

safe(edits) := {"safe": true, "set": edits}

unsafe(edits) := {"safe": false, "set": edits}

set(path, value) := {"path": path, "value": value}

remove(path) := {"path": path, "value": null}

# The first of some fields that is written; the last one if none is.
first_written(paths) := array.concat([path | some path in paths; written(path)], [paths[count(paths) - 1]])[0]

# The halves whose failures may be remediated by an uninstall.
uninstalls["install"] if live(input.effective.install)

uninstalls["upgrade"] if uninstalls_upgrade

uninstalls_upgrade if {
	live(input.effective.upgrade)
	input.effective.upgrade.remediation == "uninstall"
}

# Reports whether a failed upgrade may be rolled back.
rolls_back if {
	live(input.effective.upgrade)
	input.effective.upgrade.remediation == "rollback"
}
