# METADATA
# title: Words of the API
# description: |
#   What the API server of the configured controller makes of the object as it
#   is written: fields that it does not have are dropped, values that its schema
#   does not allow are refused.
package lib.api

import data.lib.fields

version := trim_prefix(input.object.apiVersion, "helm.toolkit.fluxcd.io/")

# The helm-controller whose CRD no longer serves a version.
gone := {"v2beta1": "1.4.0", "v2beta2": "1.5.0"}

# Tells whether the object's version is no longer served.
removed if at_least(gone[version])

# Tells whether the controller is of this version or newer.
at_least(v) if semver.compare(input.controller.version, v) >= 0

# Every value written at or below spec: its path, and the name of its field in
# the table. The API server drops null as if it were not written.
nodes contains {"field": concat(".", [step(s) | some s in steps]), "path": array.concat(["spec"], steps), "value": value} if {
	walk(input.object.spec, [steps, value])
	not absent(steps, value)
}

# An item of a list is there even if it is null.
absent(steps, null) if not item(steps)

item(steps) if is_number(steps[count(steps) - 1])

step(s) := "*" if is_number(s)

step(s) := s if {
	is_string(s)
	not contains(s, ".")
}

step(s) := sprintf("[%s]", [s]) if {
	is_string(s)
	contains(s, ".")
}

# The nodes whose field came after the object's version or the controller's CRD,
# with the controller that first had it.
newer contains [node, since] if {
	some node in nodes
	since := fields.spec[node.field].since
	not has(since)
}

has(since) if {
	version == "v2"
	at_least(since)
}

# The nodes that the API server keeps and so checks.
kept := nodes if {
	count(newer) == 0
} else := {node | some node in nodes; not dropped(node.path)}

dropped(path) if {
	some [node, _] in newer
	array.slice(path, 0, count(node.path)) == node.path
}

# A path as it is written in Kubernetes: spec.valuesFrom[0].name.
dotted(path) := concat("", array.concat([path[0]], [joint(s) | some s in array.slice(path, 1, count(path))]))

joint(s) := sprintf("[%d]", [s]) if is_number(s)

joint(s) := sprintf(".%s", [s]) if is_string(s)
