# METADATA
# title: A strategy or another field that the controller does not know yet
# description: |
#   A field that is newer than the CRD in the cluster, or than the API version in
#   which the release is written, never reaches the controller: a plain apply
#   drops it and a server-side apply, as Flux does it, is refused. `strategy`
#   came with helm-controller 1.4.0 (Flux 2.7) and exists in `v2` only; without
#   it the release is remediated, or given up, instead of retried.
# related_resources:
# - ref: https://github.com/fluxcd/helm-controller/blob/main/CHANGELOG.md
#   description: Changelog of helm-controller
# custom:
#   help: Update helm-controller, write the release in v2, or remove the field.
#   severity: {production: error, staging: warning, development: info}
#   since: 0.1.0
#   blocks: true
#   aliases: [unsupported-strategy] # with growing-history
package remedy.rules.api["unsupported-field"]

import data.remedy.lib
import data.remedy.lib.api

report contains lib.keyed(lib.finding(place.path, message)) if {
	not api.removed
	some name, since in api.newer
	not part_of_a_url(name)
	some place in input.places[name]
	message := sprintf("%s, so it never reaches the controller: %s", [lacking(api.dotted(place.path), since), consequence(name)])
}

# What is below spec.chart.spec is about the kind that spec.chart.kind names.
part_of_a_url(name) if {
	startswith(name, "chart.spec.")
	api.newer["chart.kind"]
}

lacking(field, since) := sprintf("%s does not have %s%s", [api.holder, field, came(since)]) if api.definition

lacking(field, since) := sprintf("helm-controller %s does not have %s%s", [input.controller.version, field, came(since)]) if {
	not api.definition
	api.older_than(since)
}

lacking(field, since) := sprintf("%s does not have %s", [api.version, field]) if {
	not api.definition
	not api.older_than(since)
}

came("") := ""

came(since) := sprintf(", which came with %s", [since]) if since != ""

consequence(field) := sprintf("a failed %s is %s, whatever the strategy says", [name, handled(name)]) if {
	some name in lib.names
	field == concat(".", [name, "strategy"])
} else := "it is dropped, and a server-side apply is refused"

handled(half) := sprintf("followed by %s", [lib.remedy(half)]) if {
	lib.live(half)
} else := "final"
