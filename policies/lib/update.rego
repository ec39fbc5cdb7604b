# METADATA
# title: Updates of a release
# description: |
#   Only the webhook sees updates: input.old is the object that is replaced, and
#   input.before are its settings.
package remedy.lib.update

# The revisions in .status.history, newest first.
history := object.get(input.old, ["status", "history"], [])

# Reports whether a revision is installed that the update could harm.
installed if count(history) > 0

# Reports whether the release is failing now: Ready is False.
failing if {
	some condition in object.get(input.old, ["status", "conditions"], [])
	condition.type == "Ready"
	condition.status == "False"
}
