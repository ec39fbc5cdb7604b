# METADATA
# title: A value that is invalid or not known
# description: |
#   The schema of HelmRelease allows only certain types, names and forms:
#   `RetryOnFailure` but not `retryOnFailure`, `5m` but not `5 min`, `1d` or `300`,
#   a `retryInterval` only beside `RetryOnFailure`, either a `chart` or a
#   `chartRef`. The API server refuses a release that breaks one of these, and
#   everything else in the same Flux Kustomization waits for it.
#
#   Nothing else is said of such a release: the controller never sees it.
#
#   What is allowed is what the definition of HelmRelease in the repository says
#   (`gotk-components.yaml`, or another CustomResourceDefinition that is applied to the
#   cluster), else that of the helm-controller whose version is known. Where neither is known,
#   or the version is newer than this program, a value may be right: the finding is a step
#   milder and blocks nothing, and the rest of the release is checked. An error all the same is what
#   every version refuses and none will take: a number in quotes, a `chart` beside a `chartRef`, or
#   a missing field in a release without a field that is not known.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/api/v2/
#   description: HelmRelease API reference
# custom:
#   help: Write a value that the API accepts.
#   severity: {production: error, staging: warning, development: info}
#   since: 0.1.0
#   raise: -1
#   blocks: true
#   refuses: true
package remedy.rules.api["invalid-value"]

import data.remedy.lib
import data.remedy.lib.api
import data.remedy.lib.template
import data.remedy.lib.values

report contains object.union(lib.finding(path, refused(text, certain)), doubt(certain)) if {
	whole
	some [path, text, null, certain] in problems
}

# No API has a spec that is no object.
report contains lib.finding(path, sprintf("the API server refuses this release: %s", [text])) if {
	not whole
	some [path, text, null, _] in problems
}

report contains object.union(lib.fixed(path, refused(text, certain), fix), doubt(certain)) if {
	some [path, text, repaired, certain] in problems
	repaired != null
	fix := mended([lib.set(path, repaired)], certain)
}

# The API server accepts an object without spec.
report contains lib.finding(["spec"], "this release has no spec, so helm-controller has no chart to install and gives up at once") if {
	not api.removed
	not input.places[""]
}

# A value that may be right is not mended unasked.
mended(set, certain) := lib.safe(set) if {
	doubt(certain) == {}
} else := lib.unsafe(set)

doubt(true) := {}

doubt(false) := api.doubt

refused(text, certain) := sprintf("the API server refuses this release: %s", [text]) if {
	doubt(certain) == {}
} else := sprintf("%s: wrong, or allowed by an API that is newer than the one that is known here", [text])

# Each problem is [path, message, value, certain]: the value that was meant, or null if that is
# not clear, and whether no API that is newer will take it.
problems contains [field.path, values.wrong(entry, field), values.meant(entry, field.value), other_type(entry, field)] if {
	some [entry, field] in faulty
}

problems contains [array.concat(field.path, [key]), values.wrong({"type": "string"}, {"value": value, "breaks": "type"}), null, true] if {
	some [_, field] in faulty
	field.breaks == "items"
	some key, value in field.value
	not type_name(value) in {"string", "null"}
}

problems contains [array.concat(field.path, [name]), sprintf("%s has no %s", [api.dotted(field.path), name]), null, nothing_new] if {
	some [entry, field] in faulty
	field.breaks == "required"
	some name in entry.required
	not lib.has(field.value, name)
}

problems contains [path, "retryInterval belongs to RetryOnFailure, and the strategy is RemediateOnFailure", null, false] if {
	some half in ["install", "upgrade"]
	input.written[half]["strategy.retryInterval"]
	api.strategies # earlier CRDs drop strategy
	api.enforces(concat(".", [half, "strategy"]), between_strategies[half])
	input.object.spec[half].strategy.name == "RemediateOnFailure"
	path := lib.at(half, ["strategy", "retryInterval"])
}

problems contains [array.concat(place.path, [name]), text, null, nothing_new] if {
	some place in input.places["chart.spec"]
	place.type == "object"
	some name, text in template.missing
}

problems contains [place.path, text, null, false] if {
	some name, text in template.excluded
	full := sprintf("chart.spec.%s", [name])
	full in api.kept
	some place in input.places[full]
}

problems contains [["spec", "chartRef"], "it has a chart and a chartRef, and one excludes the other", null, true] if charts == 2

problems contains [["spec"], "it has neither a chart nor a chartRef", null, nothing_new] if charts == 0

problems contains [["spec", "kubeConfig"], "kubeConfig has to have one of configMapRef and secretRef", null, nothing_new] if {
	input.places.kubeConfig[0].type == "object"
	not api.removed
	one_kubeconfig
	count([ref | some ref in ["configMapRef", "secretRef"]; input.written.kubeConfig[ref]]) != 1
}

# Reports whether nothing is written that only a newer API may have, and that could stand in for what is missing.
default nothing_new := false

nothing_new if count(api.unknown) == 0

# Reports whether a value is of another type in JSON than the field.
default other_type(_, _) := false

other_type(entry, field) if {
	field.breaks == "type"
	type_name(field.value) != object.get(json_types, entry.type, entry.type)
}

json_types := {"duration": "string", "integer": "number", "strings": "object"}

# What the API checks in CEL.
between_strategies := {
	"install": "!has(self.retryInterval) || self.name != 'RemediateOnFailure'",
	"upgrade": "!has(self.retryInterval) || self.name == 'RetryOnFailure'",
}

one_chart := "(has(self.chart) && !has(self.chartRef)) || (!has(self.chart) && has(self.chartRef))"

one_kubeconfig if api.enforces("kubeConfig", "has(self.configMapRef) != has(self.secretRef)")

one_kubeconfig if {
	api.enforces("kubeConfig", "has(self.configMapRef) || has(self.secretRef)") # before 1.7.0
	api.enforces("kubeConfig", "!has(self.configMapRef) || !has(self.secretRef)")
}

charts := count([key | some key in ["chart", "chartRef"]; input.written[key][""]]) if {
	not api.removed
	api.enforces("", one_chart)
	whole
}

# The set fields whose values are not valid, each with its entry of lib.api.
faulty := [[entry, field] |
	some name, fields in input.invalid
	not api.removed
	name in api.kept
	some field in fields
	entry := api.of({name})[name]
]

# Reports whether the spec is an object.
whole if input.places[""][0].type == "object"
