# METADATA
# title: Validation of values
# description: What the API server refuses about a value, and the value that was probably meant.
package remedy.lib.values

# What is wrong with the value of a field in the shape of input.invalid, by its entry of lib.api;
# undefined if only something inside of it is wrong.
wrong(entry, field) := sprintf("%s is %s", [_shown(field.value), _type_errors[entry.type]]) if field.breaks == "type"

wrong(entry, field) := sprintf("%s is none of %s", [_shown(field.value), concat(", ", entry.enum)]) if field.breaks == "enum"

wrong(entry, field) := sprintf("%s is longer than %d characters", [_shown(field.value), entry.max]) if field.breaks == "max"

wrong(_, field) := "the name is empty" if field.breaks == "min"

wrong(entry, field) := sprintf("%s does not match %s", [_shown(field.value), entry.pattern]) if field.breaks == "pattern"

_type_errors := {
	"string": "no string",
	"boolean": "neither true nor false",
	"integer": "no whole number",
	"duration": "no duration such as 90s, 5m or 1h30m",
	"object": "no object",
	"strings": "no object",
	"array": "no list",
}

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
