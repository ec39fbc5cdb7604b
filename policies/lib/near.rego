# METADATA
# title: Fields of similar names
# description: |
#   The known field that a field which is not known was probably meant to be: one beside it
#   of a similar name, or one in the settings of failures of the same name.
package remedy.lib.near

import data.remedy.lib.api

# The settings of failures, whose fields are written in each other's place.
sections := {"install", "upgrade", "rollback", "uninstall", "test"}

# The end of a message about a field at a path, whose name is that of lib.api.
hint(name, path) := sprintf("; did you mean %s?", [api.dotted(meant(name, path))]) if {
	meant(name, path)
} else := ""

# The path of the known field that was meant; undefined if there is none that is near.
meant(name, path) := array.concat(_parent(path), [_last(_best(_beside(name)))]) if {
	count(_beside(name)) > 0
} else := array.concat(["spec"], _best(_elsewhere(name))) if {
	count(_elsewhere(name)) > 0
}

# Known fields beside one, each after how similar its name is.
_beside(name) := {[alike, known] |
	unknown := split(name, ".")
	some field in _fields
	known := split(field, ".")
	count(known) == count(unknown)
	_parent(known) == _parent(unknown)
	alike := similarity(_lower(unknown), _lower(known))
	alike >= 0.6
}

# Known fields of the same name in other settings of failures, or of spec.
_elsewhere(name) := {[_kinship(unknown, known), known] |
	unknown := split(name, ".")
	_of_failures(unknown)
	some field in _fields
	known := split(field, ".")
	not "*" in known
	_of_failures(known)
	_lower(unknown) == _lower(known)
}

_of_failures(steps) if steps[0] in sections

_of_failures(steps) if count(steps) == 1

_fields := object.keys(api.limited) | object.keys(api.plain)

_best(ranked) := [known | some [_, known] in sort(ranked)][count(ranked) - 1]

_parent(steps) := array.slice(steps, 0, count(steps) - 1)

_last(steps) := steps[count(steps) - 1]

_lower(steps) := lower(_last(steps))

_kinship(a, b) := 1 if {
	a[0] == b[0]
} else := 0

# How similar two names are, from 0 to 1: the share of pairs of letters that both
# have (Dice's coefficient).
similarity(a, b) := 1 if {
	a == b
} else := (2 * count(_pairs(a) & _pairs(b))) / (count(_pairs(a)) + count(_pairs(b))) if {
	count(_pairs(a)) > 0
}

_pairs(name) := {substring(name, i, 2) | some i in numbers.range(0, count(name) - 2)} if {
	count(name) > 1
	count(name) < 64
} else := set()
