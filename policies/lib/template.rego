# METADATA
# title: The template of a chart's source
# description: |
#   What has to be set below spec.chart.spec, and what cannot be, for the kind of source that
#   spec.chart.kind names. Since helm-controller 1.7.0 that can be an OCIRepository.
package remedy.lib.template

import data.remedy.lib.api

# What is missing, each with the reason.
missing[name] := sprintf("spec.chart.spec has no %s", [name]) if {
	some name in _required
	not sprintf("chart.spec.%s", [name]) in api.kept
}

# What is set and cannot be, each with the reason.
excluded[name] := sprintf("%s cannot be set where spec.chart.kind is OCIRepository", [name]) if {
	of_url
	some name in {"chart", "sourceRef", "valuesFiles", "ignoreMissingValuesFiles"}
}

excluded.version := "version cannot be set where spec.chart.kind is OCIRepository; ref says which one" if {
	of_url
	input.object.spec.chart.spec.version != "*"
}

excluded.reconcileStrategy := "reconcileStrategy cannot be set where spec.chart.kind is OCIRepository" if {
	of_url
	input.object.spec.chart.spec.reconcileStrategy != "ChartVersion"
}

excluded.url := "a url needs spec.chart.kind OCIRepository" if of_chart

# Reports whether the source is an OCIRepository.
of_url if {
	api.has("1.7.0")
	input.object.spec.chart.kind == "OCIRepository"
}

# Reports whether the source is a HelmChart, which it is by default.
of_chart if object.get(input.object, ["spec", "chart", "kind"], null) in {null, "HelmChart"}

_required := {"url"} if {
	of_url
} else := {"chart", "sourceRef"} if {
	of_chart
	not "chart.spec.url" in api.kept # one fault is enough
}
