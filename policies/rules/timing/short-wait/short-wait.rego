# METADATA
# title: "timeout of the Kustomization: gives up before its release can be ready"
# description: |
#   A Kustomization that waits for its releases gives up after `spec.timeout`: by default 30
#   seconds less than `spec.interval`, and never less than 30 seconds. If an attempt of the
#   release may take longer, one that merely comes up slowly turns the Kustomization red. It
#   looks again only after its retry interval, and what depends on it stands still.
#
#   The finding is a step milder where nothing depends on the Kustomization. Only the linter
#   reports it: at admission no Kustomizations are known.
# related_resources:
# - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#timeout
#   description: Timeout
# - ref: https://github.com/fluxcd/kustomize-controller/issues/701
#   description: A health check that gives up too early
# custom:
#   help: Set spec.timeout of the Kustomization to no less than the timeout of its releases.
#   severity: {production: warning, staging: info, development: "off"}
#   raise: -1
#   since: 0.1.0
#   scenario: upgrade-fails-once
package remedy.rules.timing["short-wait"]

import data.remedy.lib
import data.remedy.lib.above

attempt := max([input.effective.install.timeout, input.effective.upgrade.timeout])

report contains {
	"object": sprintf("Kustomization/%s", [input.above.kustomization]), "path": ["spec", input.above.timeoutField],
	"message": message, "degree": attempt - input.above.timeout, "raise": raise,
	"fix": {"safe": true, "set": [above.timeout]},
} if {
	input.above.waits
	input.above.timeout < attempt
	message := sprintf("Kustomization %s gives up waiting after %s, and an attempt of the release may take %s: it is red for %s before it looks again%s", [
		input.above.kustomization, lib.duration(input.above.timeout), lib.duration(attempt), lib.duration(input.above.retry), stands,
	])
}

default raise := 0

raise := -1 if count(input.above.dependents) == 0

default stands := ""

stands := sprintf(", and so long what depends on it stands still: %s", [concat(", ", input.above.dependents)]) if {
	count(input.above.dependents) > 0
}
