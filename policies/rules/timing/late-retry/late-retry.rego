# METADATA
# title: "retryInterval of the Kustomization: red long after its release has recovered"
# description: |
#   A Kustomization that waits for its releases fails with the first of them, and is tried
#   again after `spec.retryInterval`, or after `spec.interval` where that is not set. Nothing
#   tells it that a release has recovered by itself. Until then it is not ready, what
#   depends on it stands still, and no commit reaches that.
#
#   Only the linter reports it: at admission no Kustomizations are known.
# related_resources:
# - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#retry-interval
#   description: Retry interval
# - ref: https://github.com/fluxcd/flux2/issues/1577
#   description: Dependents wait for the interval
# custom:
#   help: Set spec.retryInterval of the Kustomization to a few minutes.
#   severity: {production: warning, staging: info, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails-once
#   params:
#     max: {type: duration, default: 15m, description: The longest time that it may be red after its release has recovered.}
package remedy.rules.timing["late-retry"]

import data.remedy.lib
import data.remedy.lib.above

params := input.params["late-retry"]

report contains object.union(
	{
		"object": sprintf("Kustomization/%s", [input.above.kustomization]), "path": ["spec", input.above.retryField],
		"message": message, "degree": input.above.late,
	},
	fix,
) if {
	input.above.late > params.max
	message := sprintf("Kustomization %s is tried again %s after it has failed: a release that recovers meanwhile leaves it red for %s more, and with it what depends on it: %s", [
		input.above.kustomization, lib.duration(input.above.retry), lib.duration(round(input.above.late)), concat(", ", input.above.dependents),
	])
}

default fix := {}

fix := {"fix": {"safe": true, "set": [above.retry(params.max)]}}
