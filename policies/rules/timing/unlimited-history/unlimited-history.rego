# METADATA
# title: "maxHistory 0: every revision is kept forever"
# description: |
#   `maxHistory: 0` (or less) turns pruning off: each install, upgrade and rollback
#   leaves a Secret with the whole manifest in the storage namespace. A release
#   that keeps failing writes one for each attempt, until etcd or a quota is full.
#   Without the field Flux keeps five.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#max-history
#   description: Max history
# custom:
#   help: Remove maxHistory for the default of 5 revisions, or set a number above zero.
#   severity: {production: warning, staging: info, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   cel:
#   - at: spec.maxHistory
#     fault: r.maxHistory <= 0
package remedy.rules.timing["unlimited-history"]

import data.remedy.lib

path := ["spec", "maxHistory"]

report contains lib.fixed(path, message, lib.unsafe([lib.remove(path)])) if {
	input.effective.maxHistory <= 0
	message := sprintf("no revision is ever pruned: %s leaves another Secret with the whole manifest in the cluster%s", [attempt, rate])
}

attempt := "every upgrade and every rollback"

# How fast the history grows while upgrades are retried.
rate := sprintf(", up to %d a day while upgrades fail", [floor(86400 / input.effective.upgrade.retryInterval)]) if {
	lib.retry("upgrade")
	input.effective.upgrade.retryInterval > 0
} else := ""
