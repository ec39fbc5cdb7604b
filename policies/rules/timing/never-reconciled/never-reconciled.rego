# METADATA
# title: An interval of zero means that there is no next reconciliation
# description: |
#   After a success helm-controller looks at a release again when `spec.interval`
#   has passed. With zero that is never: drift is not corrected, and what was
#   missed, such as a change of a ConfigMap with values, stays missed until the
#   object or its chart changes.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#interval
#   description: Interval
# custom:
#   help: Set an interval above zero.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   cel:
#   - at: spec.interval
#     fault: r.interval != '' && !r.interval.matches('[1-9]')
package remedy.rules.timing["never-reconciled"]

import data.remedy.lib

path := ["spec", "interval"]

report contains lib.finding(path, message) if {
	input.effective.interval <= 0
	input.written.interval[""]
	message := sprintf(
		concat("", [
			"once a release has succeeded nothing is scheduled any more: ",
			"drift is %s and Flux looks at it again only when the object or its chart changes",
		]),
		[object.get(drift, input.effective.driftDetection, "handled as spec.driftDetection says")],
	)
}

drift := {"enabled": "not corrected", "warn": "not noticed", "disabled": "left as it is"}
