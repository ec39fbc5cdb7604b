# METADATA
# title: A field that the API does not have
# description: |
#   The API server drops a field that its schema does not have, and refuses it
#   in a server-side apply, which is how Flux applies. Either way the setting is
#   not in force. There is no `maxRetries`, no `retries` of a strategy, no
#   `retryInterval` of a remediation and no remediation strategy of an install.
#
#   Checked are all fields of `spec` whose names the API knows. In an old version of
#   the API they are those below `install`, `upgrade`, `rollback`, `uninstall` and `test`.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/api/v2/
#   description: HelmRelease API reference
# custom:
#   help: Correct the name of the field, or remove it.
#   severity: {production: error, staging: warning, development: info}
#   since: 0.1.0
#   blocks: true
package remedy.rules.api["unknown-field"]

import data.remedy.lib
import data.remedy.lib.api
import data.remedy.lib.fields

sections := {"install", "upgrade", "rollback", "uninstall", "test"}

report contains lib.finding(field.path, message) if {
	not api.removed
	some name in (api.kept - object.keys(fields.of(api.kept)))
	not endswith(name, "*")
	above := concat(".", parent(split(name, ".")))
	fields.of({above})[above].type == "object"
	some field in input.fields[name]
	checked(field.path)
	message := sprintf("the API has no %s: a plain apply drops it and a server-side apply is refused, so it is never in force%s", [
		api.dotted(field.path), hint(array.slice(field.path, 1, count(field.path))),
	])
}

checked(_) if api.version == "v2"

checked(path) if path[1] in sections

parent(steps) := array.slice(steps, 0, count(steps) - 1)

hint(unknown) := sprintf("; did you mean spec.%s?", [nearest(unknown)]) if {
	nearest(unknown)
} else := ""

# The known field whose last step is most similar. One with the same parent is
# preferred, then one in the same section.
nearest(unknown) := [field | some [_, field] in sort(ranked)][count(ranked) - 1] if {
	ranked := {[alike + kinship(unknown, known), field] |
		some field in (object.keys(fields.limited) | object.keys(fields.plain))
		known := split(field, ".")
		not "*" in known
		related(known, unknown)
		alike := similarity(lower(last(unknown)), lower(last(known)))
		alike >= 0.6
	}
	count(ranked) > 0
}

# Reports whether a known field may be meant by an unknown one.
related(known, _) if known[0] in sections

related(known, _) if count(known) == 1

related(known, unknown) if known[0] == unknown[0]

last(steps) := steps[count(steps) - 1]

kinship(a, b) := 0.2 if {
	parent(a) == parent(b)
} else := 0.1 if {
	a[0] == b[0]
} else := 0

# How similar two names are, from 0 to 1: the share of pairs of letters that both
# have (Dice's coefficient).
similarity(a, b) := 1 if {
	a == b
} else := (2 * count(pairs(a) & pairs(b))) / (count(pairs(a)) + count(pairs(b))) if {
	count(pairs(a)) > 0
}

pairs(name) := {substring(name, i, 2) | some i in numbers.range(0, count(name) - 2)} if {
	count(name) > 1
	count(name) < 64
} else := set()
