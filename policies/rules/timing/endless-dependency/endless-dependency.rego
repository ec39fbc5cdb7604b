# METADATA
# title: "dependsOn: waits for what does not become ready"
# description: |
#   A Kustomization is applied only while what it depends on is ready and, if both have the same
#   source, at the commit that is to be applied. One that is suspended stays at its commit: from the
#   next one on, all that depends on it waits until somebody resumes it. In a circle nothing is ever
#   ready: of dependencies, or of a Kustomization that waits for the health of one that depends on it.
#   Neither is a Kustomization that checks the health of an object that is gone, as after a rename: each
#   of its checks runs into its timeout, and all that depends on it stands still.
#
#   A HelmRelease is installed only while what it depends on is ready. One that is not on its cluster
#   never is: it is misspelt, in another namespace, or gone. One that is suspended stays what it was.
#
#   Only the linter reports it: at admission no Kustomizations are known.
# related_resources:
# - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#dependencies
#   description: Dependencies
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#dependencies
#   description: Dependencies of a HelmRelease
# custom:
#   help: Name what exists, resume what is suspended, break the circle, or no longer wait for what is gone.
#   severity: {production: warning, staging: info, development: "off"}
#   raise: 1
#   since: 0.1.0
package remedy.rules.timing["endless-dependency"]

import data.remedy.lib.above

report contains finding([need.at, "name"], 1, sprintf(
	"it is never installed or upgraded (DependencyNotReady): it depends on HelmRelease %s, which nothing in the tree applies to this cluster%s",
	[need.name, need.hint],
)) if {
	some need in input.needs
	need.is == "missing"
}

report contains finding([need.at], 0, sprintf(
	"it depends on HelmRelease %s, which is suspended: if that was not ready before, as on a new cluster, it is never installed or upgraded (DependencyNotReady)",
	[need.name],
)) if {
	some need in input.needs
	need.is == "suspended"
}

report contains finding([], 1, sprintf("it is never installed or upgraded (DependencyNotReady), since it needs itself to be ready: %s", [above.way(need.way)])) if {
	some need in input.needs
	need.is == "circular"
	not need.begins
}

report contains finding([], 0, sprintf("on a new cluster it is never installed (DependencyNotReady), since it needs itself to be ready: %s", [above.way(need.way)])) if {
	some need in input.needs
	need.is == "circular"
	need.begins
}

report contains {"open": sprintf("it depends on HelmRelease %s, of which nothing is known: %s", [need.name, need.hint])} if {
	some need in input.needs
	need.is == "unbuilt"
}

report contains {"open": sprintf("it depends on HelmRelease %s, which is not in the tree: another repository may apply it", [need.name])} if {
	some need in input.needs
	need.is == "elsewhere"
}

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

finding(below, raise, message) := {"path": array.concat(["spec", "dependsOn"], below), "raise": raise, "message": message}
