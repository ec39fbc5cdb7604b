# METADATA
# title: An uninstall deletes definitions, and every custom resource of their kinds
# description: |
#   A CustomResourceDefinition in the templates of a chart is deleted by an uninstall, and with
#   it all custom resources of its kind: in every namespace, of every release, also those that
#   are annotated to be kept. Whatever their controllers tie to them goes along. Definitions in
#   the folder `crds/` of a chart stay.
#
#   Many charts have a value that annotates their definitions with
#   `helm.sh/resource-policy: keep`, such as `crds.keep`; a patch in `spec.postRenderers` does it
#   for any chart. Only the charts themselves say it: `--charts` or `--rendered`.
# related_resources:
# - ref: https://helm.sh/docs/chart_best_practices/custom_resource_definitions/
#   description: Custom resource definitions in charts
# custom:
#   help: Annotate them with helm.sh/resource-policy keep, by a value of the chart or a post renderer.
#   severity: {production: warning, staging: info, development: "off"}
#   since: 0.1.0
package remedy.rules["data-safety"]["definition-not-kept"]

import data.remedy.lib
import data.remedy.lib.loss

report contains lib.finding(["spec", "postRenderers"], message) if {
	count(input.loss.definitions) > 0
	message := sprintf("an uninstall of %s deletes the definitions %s and every custom resource of their kinds in the cluster", [
		input.loss.chart, loss.names(input.loss.definitions),
	])
}
