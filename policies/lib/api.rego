# METADATA
# title: The API server's view of the object
# description: |
#   Which fields the API has, and which of the object the API server keeps: a field that
#   its definition does not have is dropped. The definition in the tree says that, else the
#   version of the controller. A controller whose version is not known is neither old nor
#   new: it is taken to have every field, and to serve every version.
package remedy.lib.api

import data.remedy.lib.fields

version := trim_prefix(input.object.apiVersion, "helm.toolkit.fluxcd.io/")

# What defines the fields, where that is in the tree.
definition := input.schema.from

# What has the fields, for people.
holder := sprintf("the HelmRelease definition in %s", [definition]) if {
	definition
} else := "the API"

# The fields of which the API says more than a type that Go knows.
limited := input.schema.limited if {
	definition
} else := fields.limited

# The fields of which it says the type alone.
plain := object.get(input.schema, "plain", {}) if {
	definition
} else := fields.plain

# The entries of some fields, by name.
of(list) := object.union(object.filter(limited, list), object.filter(plain, list))

# Reports whether the object's version is known to be not served: no longer, or not yet.
removed if {
	definition
	not version in input.schema.served
}

removed if {
	not definition
	at_least(fields.removed[version])
}

removed if coming

# Reports whether the controller is known to be older than the object's version.
coming if {
	not definition
	older_than(fields.served[version])
}

# Reports whether the API server checks an expression in CEL at a field.
enforces(name, expression) if {
	definition
	expression in input.schema.expressions[name]
}

enforces(_, _) if not definition

# What is added to a finding on what is not known here: it is a step milder where that may
# be newer than what is known.
doubt := {} if {
	input.schema.known
} else := {"raise": -1}

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
names := object.keys(input.places)

# The set fields that the object's API version or the controller's CRD does not have
# yet, each with the helm-controller that introduced it; "" if that is not known.
newer := {name: _since(name) |
	some name in _undefined
	_known[name]
} if {
	definition
} else := {} if {
	has(fields.newest)
} else := {name: entry.since |
	some name, entry in object.filter(fields.limited, names)
	not has(entry.since)
}

# The set fields that the API does not have, without what is in them.
unknown contains name if {
	some name in (kept - object.keys(of(kept)))
	not endswith(name, "*")
	above := _above(name)
	of({above})[above].type == "object"
}

# The set fields that the definition in the tree does not have, without what is in them.
_undefined contains name if {
	some name in (names - object.keys(of(names)))
	above := _above(name)
	of({above})[above].type == "object"
}

# The entries of those that later definitions have.
_known := fields.of(_undefined)

_above(name) := concat(".", array.slice(steps, 0, count(steps) - 1)) if steps := split(name, ".")

_since(name) := object.get(_known[name], "since", "")

# Reports whether the object has the fields that came with a helm-controller: it is
# written in v2, and the controller is not known to be older.
has(since) if {
	version == "v2"
	not older_than(since)
}

# Reports whether a field reaches the controller, which came with a helm-controller.
offers(name, _) if {
	definition
	of({name})[name]
}

offers(_, since) if {
	not definition
	has(since)
}

# Reports whether strategies reach the controller.
strategies if offers("install.strategy", "1.4.0")

# Reports whether a repair may write strategies. Where something installs the controller and its version
# cannot be read, it may be one without them, unless the release has one already.
writes_strategies if {
	strategies
	not input.controller.versionHidden
}

writes_strategies if {
	strategies
	some half in ["install", "upgrade"]
	input.written[half]["strategy.name"]
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
