# METADATA
# title: "rollback.disableWait: crashing pods count as a successful rollback"
# description: |
#   With `rollback.disableWait` a rollback has succeeded as soon as its manifests
#   are accepted. If the previous version does not come up again that is not
#   noticed: the broken revision is recorded as deployed, and it is what the next
#   failed upgrade is rolled back to.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#rollback-configuration
#   description: Rollback configuration
# custom:
#   help: Remove rollback.disableWait.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: rollback-fails
#   accepted: true
#   cel:
#   - at: spec.rollback.disableWait
#     fault: r.class == 'bounded' && r.rollback.disableWait
package remedy.rules.visibility["blind-rollback"]

import data.remedy.lib
import data.remedy.lib.class

path := ["spec", "rollback", "disableWait"]

report contains lib.fixed(path, message, lib.unsafe([lib.remove(path)])) if {
	class.name == "bounded"
	input.effective.rollback.disableWait
	message := concat("", [
		"a rollback counts as good as soon as its manifests are applied: if the previous version does not come up ",
		"it is recorded as deployed all the same and becomes the target of the next rollback",
	])
}
