# METADATA
# title: Updates of a release
# description: |
#   input.old is the object that is replaced, and input.before are its settings. The webhook
#   sees it, and a comparison of two trees, which takes what the base has for installed.
package remedy.lib.update

# The revisions in .status.history, newest first.
history := input.old.status.history

# What decided on the recovery of both halves.
before[name] := half if {
	some name in ["install", "upgrade"]
	half := {
		"strategy": input.before[name].strategy,
		"retries": input.before[name].retries,
		"remediation": input.before[name].remediation,
		"remediateLastFailure": input.before[name].remediateLastFailure,
	}
}

# Reports whether a revision is installed that the update could harm.
installed if count(history) > 0

installed if {
	input.replaced
	not pruned
}

# Reports whether the object has another name, so that Flux prunes the one that was there: only a
# comparison can tell.
pruned if input.moves.object

# Reports whether the release is failing now: Ready is False.
failing if {
	some condition in input.old.status.conditions
	condition.type == "Ready"
	condition.status == "False"
}
