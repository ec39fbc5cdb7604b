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
#   severity: {production: error, staging: warning, development: info}
package rules.api["invalid-value"]

import data.lib
import data.lib.api
import data.lib.fields
import data.lib.values

report contains lib.finding(path, refused(text)) if some [path, text, null] in problems

report contains lib.fixed(path, refused(text), lib.safe([lib.set(path, repaired)])) if {
	some [path, text, repaired] in problems
	repaired != null
}

refused(text) := sprintf("the API server refuses this release: %s", [text])

# Each problem is a path, what is wrong there, and the value that was meant or
# null if that is not clear.
problems contains [node.path, values.wrong(entry, node.value), values.meant(entry, node.value)] if {
	some [entry, node] in known
}

problems contains [array.concat(node.path, [key]), values.wrong({"type": "string"}, value), null] if {
	some [entry, node] in known
	entry.type == "strings"
	some key, value in node.value
}

problems contains [array.concat(node.path, [name]), sprintf("%s has no %s", [api.dotted(node.path), name]), null] if {
	some [entry, node] in known
	some name in entry.required
	is_object(node.value)
	not lib.has(node.value, name)
}

problems contains [["spec"], "it has no spec", null] if {
	not api.removed
	not lib.has(input.object, "spec")
}

problems contains [path, "retryInterval belongs to RetryOnFailure, and the strategy is RemediateOnFailure", null] if {
	some [_, node] in known
	node.field in {"install.strategy", "upgrade.strategy"}
	node.value.name == "RemediateOnFailure"
	lib.has(node.value, "retryInterval")
	path := array.concat(node.path, ["retryInterval"])
}

problems contains [array.concat(node.path, ["chartRef"]), "it has a chart and a chartRef, and one excludes the other", null] if {
	some [_, node] in known
	node.field == ""
	lib.has(node.value, "chart")
	lib.has(node.value, "chartRef")
}

problems contains [node.path, "it has neither a chart nor a chartRef", null] if {
	some [_, node] in known
	node.field == ""
	is_object(node.value)
	not lib.has(node.value, "chart")
	not lib.has(node.value, "chartRef")
}

problems contains [node.path, "kubeConfig has to have one of configMapRef and secretRef", null] if {
	some [_, node] in known
	node.field == "kubeConfig"
	is_object(node.value)
	count({ref | some ref in ["configMapRef", "secretRef"]; lib.has(node.value, ref)}) != 1
}

# What is written and kept, beside what the API says of it.
known contains [fields.spec[node.field], node] if {
	not api.removed
	some node in api.kept
}
