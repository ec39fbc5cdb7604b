# METADATA
# title: A value that is removed leads to an upgrade at every interval
# description: |
#   With `upgrade.preserveValues` Helm merges the new values into those of the
#   running release and stores the result. helm-controller compares what is stored
#   with what is wanted. Once a value is removed in Git the two never agree again:
#   the removed value stays in force, and the release is upgraded at every
#   `spec.interval`, without end and without a failure that anybody would see.
#
#   Remove the setting. What must be kept belongs into `values` or `valuesFrom`.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-configuration
#   description: Upgrade configuration
# custom:
#   severity: {production: error, staging: warning, development: "off"}
package remedy.rules.timing["preserve-values"]

import data.remedy.lib

path := ["spec", "upgrade", "preserveValues"]

report contains lib.fixed(path, message, lib.unsafe([lib.remove(path)])) if {
	input.effective.upgrade.preserveValues
	message := sprintf("once a value is removed in Git it stays in force, and the release is upgraded every %s without end", [
		lib.duration(input.effective.interval),
	])
}
