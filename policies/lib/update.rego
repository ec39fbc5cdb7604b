# METADATA
# title: Updates of a release
# description: |
#   What an update replaces is known at admission only: input.old is the object,
#   input.before its settings.
package lib.update

# The Helm releases that the controller knows of, the newest first.
history := object.get(input.old, ["status", "history"], [])

# Tells whether there is a release that the update could harm.
installed if count(history) > 0

# Tells whether the release is not healthy now.
failing if {
	some condition in object.get(input.old, ["status", "conditions"], [])
	condition.type == "Ready"
	condition.status == "False"
}
