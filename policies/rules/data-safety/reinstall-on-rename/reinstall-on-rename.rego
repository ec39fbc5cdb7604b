# METADATA
# title: Changing the chart name uninstalls the release
# description: |
#   When the name of the chart changes, the controller uninstalls the release and
#   installs the other chart from scratch: an outage, and the loss of every
#   PersistentVolumeClaim and custom resource that the old chart's templates create.
#   With `upgrade.chartNameChangeStrategy: InPlaceUpdate` (helm-controller 1.6.0 and
#   newer) it upgrades instead, as `helm upgrade` would.
#
#   The webhook can tell, since it sees what the update replaces, and so can
#   `flux-remedy diff` and `--new-from`, for which what the base has is installed: only for a chart that `spec.chart` names in a HelmRepository or by the URL of an OCI
#   repository: elsewhere the name is inside the chart. With the charts at hand (`--charts`)
#   a comparison knows it there, too, says what the old chart loses, and nothing where that is nothing.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-configuration
#   description: Upgrade configuration
# custom:
#   help: Waive this rule on the release until the change is done, if the uninstall is wanted.
#   severity: {production: error, staging: warning, development: info}
#   since: 0.1.0
package remedy.rules["data-safety"]["reinstall-on-rename"]

import data.remedy.lib
import data.remedy.lib.chart
import data.remedy.lib.loss
import data.remedy.lib.update

path := ["spec", "upgrade", "chartNameChangeStrategy"]

report contains lib.fixed(named, message, lib.unsafe([lib.set(path, "InPlaceUpdate")])) if {
	update.installed
	input.effective.chartNameChangeStrategy == "Reinstall"
	[was, is] := charts
	was != is
	not loss.replaced_nothing
	message := sprintf(
		"the chart %s takes the place of %s: the controller installs it from scratch and first uninstalls the release that exists%s",
		[is, was, loss.replaced(was in input.law.statefulCharts)],
	)
}

# The names of the two charts: by the release, or as the charts say where they are at hand.
charts := [was, is] if {
	was := chart_name(input.moves.chart.from)
	is := chart_name(input.moves.chart.to)
} else := [split(input.replaced.chart, " ")[0], split(input.loss.chart, " ")[0]]

# The name of a chart in a HelmRepository, or by the URL of an OCI repository: the last
# element.
chart_name(chart_) := chart.last(chart_.spec.chart) if {
	chart_.spec.sourceRef.kind == "HelmRepository"
} else := chart.last(chart_.spec.url) if {
	chart_.kind == "OCIRepository"
}

named := ["spec", "chart", "spec", "url"] if {
	input.object.spec.chart.kind == "OCIRepository"
} else := ["spec", "chart", "spec", "chart"]
