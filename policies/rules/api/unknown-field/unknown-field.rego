# METADATA
# title: A field that is not known
# description: |
#   The API server drops a field that its schema does not have, and refuses it
#   in a server-side apply, which is how Flux applies. Either way the setting is
#   not in force. There is no `maxRetries`, no `retries` of a strategy, no
#   `retryInterval` of a remediation and no remediation strategy of an install.
#
#   What the API has is what the definition of HelmRelease in the repository says
#   (`gotk-components.yaml`, or another CustomResourceDefinition that is applied to the
#   cluster), else that of the helm-controller whose version is known. Where neither is known,
#   or the version is newer than this program, the field may be right: the finding is a step
#   milder, and blocks nothing.
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
#   raise: -1
#   blocks: true
package remedy.rules.api["unknown-field"]

import data.remedy.lib
import data.remedy.lib.api
import data.remedy.lib.near

report contains object.union(lib.keyed(lib.finding(place.path, message)), api.doubt) if {
	not api.removed
	some name in api.unknown
	some place in input.places[name]
	checked(place.path)
	message := concat("", [wrong(api.dotted(place.path)), near.hint(name, place.path)])
}

checked(_) if api.version == "v2"

checked(_) if api.definition

checked(path) if path[1] in near.sections

wrong(field) := sprintf("%s is misspelt, or newer than the API that is known here", [field]) if {
	not input.schema.known
} else := sprintf("%s has no %s: a plain apply drops it and a server-side apply is refused, so it is never in force", [api.holder, field])
