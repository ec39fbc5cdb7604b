# METADATA
# title: Words of the API
# description: |
#   What the API server of the configured controller makes of the object as it
#   is written: fields that it does not have are dropped, values that its schema
#   does not allow are refused.
package remedy.lib.api

import data.remedy.lib.fields

version := trim_prefix(input.object.apiVersion, "helm.toolkit.fluxcd.io/")

# The helm-controller whose CRD no longer serves a version.
_removed_in := {"v2beta1": "1.4.0", "v2beta2": "1.5.0"}

# Reports whether the object's version is no longer served.
removed if at_least(_removed_in[version])

# Reports whether the controller is of this version or newer.
at_least(v) if semver.compare(input.controller.version, v) >= 0

# The names of the fields that are written.
names := object.keys(input.fields)

# Those that came after the object's version or the controller's CRD, each with
# the controller that first had it.
newer := {} if {
	has(fields.newest)
} else := {name: entry.since |
	some name, entry in object.filter(fields.limited, names)
	not has(entry.since)
}

has(since) if {
	version == "v2"
	at_least(since)
}

# Those that the API server keeps and so checks.
kept := names if {
	count(newer) == 0
} else := {name | some name in names; not _dropped(name)}

_dropped(name) if newer[name]

_dropped(name) if {
	some above, _ in newer
	startswith(name, sprintf("%s.", [above]))
}

# A path as it is written in Kubernetes: spec.valuesFrom[0].name.
dotted(path) := concat("", array.concat([path[0]], [_joint(s) | some s in array.slice(path, 1, count(path))]))

_joint(s) := sprintf("[%d]", [s]) if is_number(s)

_joint(s) := sprintf(".%s", [s]) if is_string(s)
