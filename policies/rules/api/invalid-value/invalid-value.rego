# METADATA
# title: A value that the API server refuses
# description: |
#   The schema of HelmRelease allows only certain types, names and forms:
#   `RetryOnFailure` but not `retryOnFailure`, `5m` but not `5 min`, `1d` or `300`,
#   a `retryInterval` only beside `RetryOnFailure`, either a `chart` or a
#   `chartRef`. The API server refuses a release that breaks one of these, and
#   everything else in the same Flux Kustomization waits for it.
#
#   Nothing else is said of such a release: the controller never sees it.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/api/v2/
#   description: HelmRelease API reference
# custom:
#   help: Write a value that the API accepts.
#   severity: {production: error, staging: warning, development: info}
#   since: 0.1.0
#   blocks: true
#   refuses: true
package remedy.rules.api["invalid-value"]

import data.remedy.lib
import data.remedy.lib.api
import data.remedy.lib.fields
import data.remedy.lib.template
import data.remedy.lib.values

report contains lib.finding(path, refused(text)) if some [path, text, null] in problems

report contains lib.fixed(path, refused(text), lib.safe([lib.set(path, repaired)])) if {
	some [path, text, repaired] in problems
	repaired != null
}

# The API server accepts an object without spec.
report contains lib.finding(["spec"], "this release has no spec, so helm-controller has no chart to install and gives up at once") if {
	not api.removed
	not lib.has(input.object, "spec")
}

refused(text) := sprintf("the API server refuses this release: %s", [text])

# Each problem is [path, message, value]: the value that was meant, or null if that is
# not clear.
problems contains [field.path, values.wrong(entry, field.value), values.meant(entry, field.value)] if {
	some [entry, field] in faulty
}

problems contains [array.concat(field.path, [key]), values.wrong({"type": "string"}, value), null] if {
	some [entry, field] in faulty
	entry.type == "strings"
	is_object(field.value)
	some key, value in field.value
	value != null
}

problems contains [array.concat(field.path, [name]), sprintf("%s has no %s", [api.dotted(field.path), name]), null] if {
	some [entry, field] in faulty
	some name in entry.required
	is_object(field.value)
	not lib.has(field.value, name)
}

problems contains [path, "retryInterval belongs to RetryOnFailure, and the strategy is RemediateOnFailure", null] if {
	api.has("1.4.0") # earlier CRDs drop strategy
	some half in ["install", "upgrade"]
	strategy := lib.value(["spec", half, "strategy"], null)
	is_object(strategy)
	lib.has(strategy, "retryInterval")
	strategy.name == "RemediateOnFailure"
	path := lib.at(half, ["strategy", "retryInterval"])
}

problems contains [array.concat(field.path, [name]), text, null] if {
	some field in input.fields["chart.spec"]
	is_object(field.value)
	some name, text in template.missing
}

problems contains [field.path, text, null] if {
	some name, text in template.excluded
	full := sprintf("chart.spec.%s", [name])
	full in api.kept
	some field in input.fields[full]
}

problems contains [["spec", "chartRef"], "it has a chart and a chartRef, and one excludes the other", null] if charts == 2

problems contains [["spec"], "it has neither a chart nor a chartRef", null] if charts == 0

problems contains [["spec", "kubeConfig"], "kubeConfig has to have one of configMapRef and secretRef", null] if {
	not api.removed
	config := lib.value(["spec", "kubeConfig"], null)
	is_object(config)
	count([ref | some ref in ["configMapRef", "secretRef"]; lib.has(config, ref)]) != 1
}

charts := count([key | some key in ["chart", "chartRef"]; lib.has(input.object.spec, key)]) if {
	not api.removed
	is_object(input.object.spec)
}

# The set fields whose values are not valid, each with its entry of lib.fields.
faulty := [[entry, field] |
	not api.removed
	some name, entry in doubtful
	some field in input.fields[name]
	not values.valid(entry.type, entry, field.value)
]

# The entries of lib.fields to check. A release with settings was decoded, so its
# types are right and only the limited fields can be wrong. Of those, a field that takes
# any text and has one is right, and an object with all that is required.
doubtful := object.filter(fields.limited, suspects) if {
	input.typed
} else := fields.of(api.kept)

suspects contains name if {
	some name, entry in object.filter(fields.limited, api.kept - texts)
	not complete(name, entry)
}

texts := fields.free & {name | some name in input.texts}

# Reports whether every object of a name has what is required: as many fields are set as
# there are objects.
complete(name, entry) if {
	required := entry.required
	every key in required {
		count(input.fields[name]) == count(input.fields[trim_left(concat(".", [name, key]), ".")])
	}
}
