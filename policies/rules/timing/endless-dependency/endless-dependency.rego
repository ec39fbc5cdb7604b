# METADATA
# title: The Kustomization waits for what does not become ready
# description: |
#   A Kustomization is applied only while what it depends on is ready and, if both have the same
#   source, at the commit that is to be applied. One that is suspended stays at its commit: from the
#   next one on, all that depends on it waits until somebody resumes it. In a circle nothing is ever
#   ready: of dependencies, or of a Kustomization that waits for the health of one that depends on it.
#   Neither is a Kustomization that checks the health of an object that is gone, as after a rename: each
#   of its checks runs into its timeout, and all that depends on it stands still.
#
#   Only the linter reports it: at admission no Kustomizations are known.
# related_resources:
# - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#dependencies
#   description: Dependencies
# custom:
#   help: Resume what is suspended, break the circle, or no longer wait for what is gone.
#   severity: {production: warning, staging: info, development: "off"}
#   raise: 1
#   since: 0.1.0
package remedy.rules.timing["endless-dependency"]

report contains {
	"object": sprintf("Kustomization/%s", [input.above.kustomization]), "path": ["spec", "dependsOn"], "raise": 0,
	"message": sprintf("from the next commit on nothing of Kustomization %s is applied: %s, which is suspended", [input.above.kustomization, needs(input.above.suspended)]),
} if {
	count(input.above.suspended) > 0
	count(input.above.circle) == 0
}

report contains {
	"object": sprintf("Kustomization/%s", [input.above.kustomization]), "path": ["spec", "healthChecks"], "raise": min([1, count(input.above.dependents)]),
	"message": sprintf("Kustomization %s never becomes ready: it checks the health of %s, which nothing in the tree applies to this cluster", [
		input.above.kustomization, concat(", ", [sprintf("%s %s/%s", split(target, "/")) | some target in input.above.missing]),
	]),
} if {
	count(input.above.missing) > 0
	count(input.above.circle) == 0
}

report contains {
	"object": sprintf("Kustomization/%s", [input.above.kustomization]), "path": ["spec", "dependsOn"], "raise": 1,
	"message": sprintf("Kustomization %s never becomes ready, since it needs itself to be: %s", [input.above.kustomization, needs(input.above.circle)]),
} if {
	count(input.above.circle) > 0
}

needs(way) := concat(", which needs ", array.concat(
	[sprintf("it needs Kustomization %s", [way[1]])],
	array.slice(way, 2, count(way)),
))
