# METADATA
# title: "preserveValues: removing a value causes endless upgrades"
# description: |
#   With `upgrade.preserveValues` Helm merges the new values into those of the
#   running release and stores the result. helm-controller compares what is stored
#   with what is wanted. Once a value is removed in Git the two never agree again:
#   the removed value stays in force, and the release is upgraded forever, and
#   without a failure that anybody would see: at every `retryInterval` under
#   `RetryOnFailure`, otherwise at the controller's backoff, at most 15 minutes
#   apart.
#
#   Remove the setting. What must be kept belongs into `values` or `valuesFrom`.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-configuration
#   description: Upgrade configuration
# custom:
#   help: Remove the setting. Write what must stay in values or valuesFrom.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: value-removed
#   cel:
#   - at: spec.upgrade.preserveValues
#     fault: r.upgrade.preserveValues
package remedy.rules.timing["preserve-values"]

import data.remedy.lib

path := ["spec", "upgrade", "preserveValues"]

report contains lib.fixed(path, message, lib.unsafe([lib.remove(path)])) if {
	input.effective.upgrade.preserveValues
	message := concat("", ["once a value is removed in Git it stays in force", again])
}

again := sprintf(", and the release is upgraded every %s, forever", [lib.duration(retry)]) if {
	retry > 0
} else := "" if {
	retry == 0
} else := ", and the release is upgraded forever, up to 15m apart"

# How far apart upgrades are that do not lead to what is wanted. Undefined where the
# controller's backoff says it.
retry := input.effective.upgrade.retryInterval if input.effective.upgrade.strategy == "RetryOnFailure"
