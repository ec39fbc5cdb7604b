# METADATA
# title: "dependsOn a Kustomization that does not wait: a failing release counts as ready"
# description: |
#   A Kustomization without `spec.wait`, and without a health check of the release, is ready
#   once everything is applied, whether or not the release ever becomes healthy. What
#   depends on it starts at once, above something that may not be there.
#
#   With `spec.wait` a failing release holds up what depends on its Kustomization:
#   `flux-remedy forecast` shows how long. Where something that the Kustomization applies depends on it, as children often do, it
#   would wait for itself: name the releases in its `spec.healthChecks` instead. Only the linter reports it: at admission no
#   Kustomizations are known.
# related_resources:
# - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#dependencies
#   description: Dependencies
# custom:
#   help: Set spec.wait of the Kustomization, or name the release in its spec.healthChecks.
#   severity: {production: warning, staging: info, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
package remedy.rules.visibility["unawaited-dependency"]

import data.remedy.lib.above

report contains object.union(
	{
		"object": sprintf("Kustomization/%s", [input.above.kustomization]), "path": ["spec", "wait"],
		"message": message,
	},
	fix,
) if {
	not input.above.waits
	count(input.above.dependents) > 0
	count(input.above.circle) == 0 # what waits for itself never goes on
	count(input.above.missing) == 0 # nor what waits for a health check of what is gone
	message := sprintf("Kustomization %s does not wait for its releases: what depends on it (%s) goes on as soon as they are applied, even if they fail", [
		input.above.kustomization, concat(", ", input.above.dependents),
	])
}

# With spec.wait its health checks count for nothing. As soon as it waits, its timeout and its retry interval count.
default fix := {}

fix := {"fix": {"safe": true, "set": array.flatten([above.edit("wait", true), timeout, retry])}} if {
	not input.above.named
	count(input.above.deadlock) == 0
}

fix := {"help": sprintf("name the release in spec.healthChecks of Kustomization %s: with spec.wait that would never be ready, since %s", [
	input.above.kustomization, above.way(input.above.deadlock),
])} if {
	count(input.above.deadlock) > 0
	not input.above.endless
}

fix := {"help": sprintf("break the circle before Kustomization %s waits for the release: it would never be ready, since %s", [
	input.above.kustomization, above.way(input.above.deadlock),
])} if {
	input.above.endless
}

default timeout := []

timeout := [above.timeout] if input.above.timeout < input.above.attempt

default retry := []

retry := [above.retry(longest)] if {
	longest := input.params["late-retry"].max
	input.above.retry + 10 > longest # for a look at it takes some seconds, too
}
