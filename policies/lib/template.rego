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
	api.enforces("chart", _without(name, ""))
}

excluded[name] := "reconcileStrategy cannot be set where spec.chart.kind is OCIRepository" if {
	of_url
	name := "reconcileStrategy"
	api.enforces("chart", _without("reconcileStrategy", " || self.spec.reconcileStrategy == 'ChartVersion'"))
	not input.object.spec.chart.spec.reconcileStrategy == "ChartVersion"
}

excluded["version"] := "version cannot be set where spec.chart.kind is OCIRepository; ref says which one" if {
	of_url
	api.enforces("chart", _without("version", " || self.spec.version == '*'"))
	not input.object.spec.chart.spec.version == "*"
}

excluded["url"] := "a url needs spec.chart.kind OCIRepository" if {
	of_chart
	api.enforces("chart", "!has(self.spec.url) || (has(self.kind) && self.kind == 'OCIRepository')")
}

# What the API checks in CEL of a field that cannot be set beside a URL.
_without(name, unless) := sprintf("%s || !has(self.spec.%s)%s", [_no_url, name, unless])

_no_url := "!has(self.kind) || self.kind != 'OCIRepository'"

# Reports whether the source is an OCIRepository.
of_url if {
	api.offers("chart.kind", "1.7.0")
	input.object.spec.chart.kind == "OCIRepository"
}

# Reports whether the source is a HelmChart, which it is by default.
of_chart if not input.written.chart.kind

of_chart if input.object.spec.chart.kind == "HelmChart"

_required := {"url"} if {
	of_url
	api.enforces("chart", sprintf("%s || (has(self.spec.url) && size(self.spec.url) > 0)", [_no_url]))
} else := {"chart", "sourceRef"} if {
	of_chart
	api.enforces("chart", "(has(self.kind) && self.kind == 'OCIRepository') || (has(self.spec.chart) && has(self.spec.sourceRef))")
	not "chart.spec.url" in api.kept # one fault is enough
}
