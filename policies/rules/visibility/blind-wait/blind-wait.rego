# METADATA
# title: "disableWait: crashing pods count as success"
# description: |
#   With `disableWait` an install or upgrade has succeeded as soon as the manifests
#   are accepted and the hooks have run. Pods that crash, images that cannot be
#   pulled and volumes that are not bound are no failure, so that neither a retry
#   nor a rollback ever starts, and the release says Ready. What is still noticed
#   are errors of the apply itself and failed hooks.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#install-configuration
#   description: Install configuration
# custom:
#   help: Remove disableWait.
#   severity: {production: warning, staging: info, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   blind: true
#   cel:
#   - at: spec.install.disableWait
#     fault: r.install.disableWait
#   - at: spec.upgrade.disableWait
#     fault: r.upgrade.disableWait
package remedy.rules.visibility["blind-wait"]

import data.remedy.lib

report contains lib.fixed(path, message, lib.unsafe([lib.remove(path)])) if {
	some name in lib.names
	input.effective[name].disableWait
	path := lib.at(name, ["disableWait"])
	message := sprintf("an %s is Ready as soon as its manifests are applied: pods that never start lead to no %s; only %s still noticed", [
		name, answer(name), noticed(name),
	])
}

answer(name) := "retry" if {
	lib.retry(name)
} else := trim_prefix(trim_prefix(lib.remedy(name), "an "), "a ") if {
	lib.live(name)
} else := "failure"

noticed(name) := "errors of the apply are (hooks are disabled too)" if {
	input.effective[name].disableHooks
} else := "errors of the apply and failed hooks are"
