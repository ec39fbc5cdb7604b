# METADATA
# title: The API server's view of the object
# description: |
#   Which fields of the object the API server keeps. A field that the CRD of the
#   controller does not have is dropped. A controller whose version is not known is
#   neither old nor new: it is taken to have every field, and to serve every version.
package remedy.lib.api

import data.remedy.lib.fields

version := trim_prefix(input.object.apiVersion, "helm.toolkit.fluxcd.io/")

# Reports whether the object's version is known to be no longer served.
removed if at_least(fields.removed[version])

# Reports whether the controller is known to be of this version or newer.
at_least(v) if {
	input.controller.versionKnown
	semver.compare(input.controller.version, v) >= 0
}

# Reports whether the controller is known to be older than this version.
older_than(v) if {
	input.controller.versionKnown
	semver.compare(input.controller.version, v) < 0
}

# The names of the fields that are set.
names := object.keys(input.fields)

# The set fields that the object's API version or the controller's CRD does not have
# yet, each with the helm-controller that introduced it.
newer := {} if {
	has(fields.newest)
} else := {name: entry.since |
	some name, entry in object.filter(fields.limited, names)
	not has(entry.since)
}

# Reports whether the object has the fields that came with a helm-controller: it is
# written in v2, and the controller is not known to be older.
has(since) if {
	version == "v2"
	not older_than(since)
}

# The names of the set fields that the API server keeps, and so validates.
kept := names if {
	count(newer) == 0
} else := {name | some name in names; not _dropped(name)}

_dropped(name) if newer[name]

_dropped(name) if {
	some above, _ in newer
	startswith(name, sprintf("%s.", [above]))
}

# A path in Kubernetes' notation: spec.valuesFrom[0].name.
dotted(path) := concat("", array.concat([path[0]], [_joint(s) | some s in array.slice(path, 1, count(path))]))

_joint(s) := sprintf("[%d]", [s]) if is_number(s)

_joint(s) := sprintf(".%s", [s]) if is_string(s)
