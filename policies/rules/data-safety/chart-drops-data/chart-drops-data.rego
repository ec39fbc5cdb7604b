# METADATA
# title: The new version of the chart drops an object that holds data
# description: |
#   An upgrade deletes what the version of the chart that runs has and the new one has not: a
#   claim that has got another name, a custom resource, a definition that has moved from
#   `templates/` to `crds/` (and with that everything of its kind). A rollback creates it again,
#   empty.
#
#   Annotate the object on the cluster with `helm.sh/resource-policy: keep`, exactly so, before
#   the upgrade, or move the data first. The rule compares what both versions render, in
#   `flux-remedy diff` and with `--new-from`, if both are at hand (`--charts`).
# related_resources:
# - ref: https://helm.sh/docs/howto/charts_tips_and_tricks/#tell-helm-not-to-uninstall-a-resource
#   description: Telling Helm to keep a resource
# custom:
#   help: Annotate it with helm.sh/resource-policy keep before the upgrade, or move the data first.
#   severity: {production: error, staging: warning, development: info}
#   since: 0.1.0
package remedy.rules["data-safety"]["chart-drops-data"]

import data.remedy.lib

report contains lib.finding(path, message) if {
	some dropped in input.loss.dropped
	message := sprintf("the upgrade to %s deletes %s, which this version of the chart does not have any more", [input.loss.chart, dropped])
}

path := ["spec", "chart", "spec", "version"] if {
	input.written.chart["spec.version"]
} else := ["spec", "chartRef"] if {
	input.written.chartRef[""]
} else := ["spec", "chart"]
