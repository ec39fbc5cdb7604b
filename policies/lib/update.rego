# METADATA
# title: Updates of a release
# description: |
#   What an update replaces is known at admission only: input.old is the object,
#   input.before its settings.
package remedy.lib.update

# The Helm releases that the controller knows of, the newest first.
history := object.get(input.old, ["status", "history"], [])

# Reports whether there is a release that the update could harm.
installed if count(history) > 0

# Reports whether the release is not healthy now.
failing if {
	some condition in object.get(input.old, ["status", "conditions"], [])
	condition.type == "Ready"
	condition.status == "False"
}
