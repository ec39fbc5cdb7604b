# METADATA
# title: Validation of values
# description: What the API server refuses about a value, and the value that was probably meant.
package remedy.lib.values

import data.remedy.lib.fields

# Reports whether a value is valid for a type and the limits in an entry of
# lib.api; with {} only the type counts.
valid("any", _, _)

valid("boolean", _, value) if is_boolean(value)

valid("array", _, value) if is_array(value)

valid("integer", _, value) if {
	is_number(value)
	floor(value) == value
	abs(value) < 9e18 # about the range of an int64
}

valid("duration", entry, value) if {
	is_string(value)
	regex.match(object.get(entry, "pattern", fields.duration), value)
	_short(value)
}

valid("object", entry, value) if {
	is_object(value)
	every name in object.get(entry, "required", []) {
		value[name] != null
	}
}

valid("strings", _, value) if {
	is_object(value)
	every text in value {
		type_name(text) in {"string", "null"}
	}
}

valid("string", entry, value) if {
	is_string(value)
	value in object.get(entry, "enum", [value])
	count(value) <= object.get(entry, "max", count(value))
	count(value) >= object.get(entry, "min", 0)
	regex.match(object.get(entry, "pattern", ""), value)
}

# What is wrong with a value itself; undefined if it is valid, or if only something
# inside of it is wrong.
wrong(entry, value) := sprintf("%s is %s", [_shown(value), _type_errors[entry.type]]) if {
	whole := object.get({"strings": "object"}, entry.type, entry.type) # wrong strings inside are reported at their own paths
	not valid(whole, {}, value)
} else := sprintf("%s is none of %s", [_shown(value), concat(", ", entry.enum)]) if {
	not value in entry.enum
} else := sprintf("%s is longer than %d characters", [_shown(value), entry.max]) if {
	longest := entry.max
	count(value) > longest
} else := "the name is empty" if {
	shortest := entry.min
	count(value) < shortest
} else := sprintf("%s does not match %s", [_shown(value), entry.pattern]) if {
	pattern := entry.pattern
	not regex.match(pattern, value)
}

_type_errors := {
	"string": "no string",
	"boolean": "neither true nor false",
	"integer": "no whole number",
	"duration": "no duration such as 90s, 5m or 1h30m",
	"object": "no object",
	"strings": "no object",
	"array": "no list",
}

# Reports whether a duration fits into Go's, which end at 292 years. Seven characters
# always do: 999999h is 114 years.
_short(duration) if {
	count(duration) <= 7
} else := _seconds(duration) < 9e9

_unit_seconds := {"ms": 0.001, "s": 1, "m": 60, "h": 3600}

_seconds(duration) := sum([part |
	some [_, number, unit] in regex.find_all_string_submatch_n(`([0-9.]+)(ms|s|m|h)`, duration, -1)
	part := to_number(number) * _unit_seconds[unit]
])

# A value in a message: a long string is cut, a list or object only named.
_shown(value) := sprintf("%q", [value]) if {
	is_string(value)
	count(value) <= 60
} else := sprintf("%q...", [substring(value, 0, 60)]) if {
	is_string(value)
} else := "a list" if {
	is_array(value)
} else := "an object" if {
	is_object(value)
} else := json.marshal(value)

# The value that was meant if it is clear, else null. It corrects the case of a word,
# quotes around a number or a boolean, and other names of units.
meant(entry, value) := others[0] if {
	is_string(value)
	others := [other | some other in entry.enum; lower(other) == lower(value)]
	count(others) == 1
} else := to_number(value) if {
	entry.type == "integer"
	is_string(value)
	regex.match(`^(0|-?[1-9][0-9]{0,9})$`, value)
} else := _booleans[value] if {
	entry.type == "boolean"
} else := sprintf("%d%s", [to_number(found[1]) * unit[0], unit[1]]) if {
	entry.type == "duration"
	is_string(value)
	some found in regex.find_all_string_submatch_n(`^([1-9][0-9]{0,3}) ?([a-z]+?)s?$`, lower(value), -1)
	unit := _units[found[2]]
} else := null

_booleans := {"true": true, "false": false}

# Units that people write, each as a multiple of a unit of Go.
_units := {
	"d": [24, "h"], "day": [24, "h"],
	"h": [1, "h"], "hr": [1, "h"], "hour": [1, "h"],
	"m": [1, "m"], "min": [1, "m"], "minute": [1, "m"],
	"sec": [1, "s"], "second": [1, "s"],
}
