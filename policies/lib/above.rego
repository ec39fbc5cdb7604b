# METADATA
# title: The Kustomization above a release
# description: What repairs write into the Flux Kustomization that applies a release.
package remedy.lib.above

# regal ignore:pointless-import
import data.remedy.lib

# An edit of a field of spec.
edit(field, value) := {
	"object": sprintf("Kustomization/%s", [input.above.kustomization]),
	"path": ["spec", field], "value": value,
}

# As long as the slowest attempt of all its releases: they share the field.
timeout := edit("timeout", lib.duration(ceil(input.above.attempt)))

# A short retry interval where the longest that is allowed is known. Less than it, for what depends on the
# Kustomization looks again only every 30 seconds.
retry(longest) := edit("retryInterval", lib.duration(min([120, ceil(longest / 2)]))) if {
	input.above.retry > min([120, ceil(longest / 2)])
}

# The way of a circle over objects of several kinds.
way(objects) := concat(", which needs ", array.concat([sprintf("it needs %s", [objects[1]])], array.slice(objects, 2, count(objects))))
