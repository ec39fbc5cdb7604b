# METADATA
# title: A timeout of zero fails every wait
# description: |
#   The timeout is the deadline of each wait of an action: for its hooks, and for
#   its resources to become ready. With zero that deadline has passed before the
#   wait begins, so the action fails however healthy the release is; for a
#   rollback or an uninstall this means that the remediation fails as well.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#timeout
#   description: Timeout
# custom:
#   help: Set a timeout above zero.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   cel:
#   - at: spec.timeout
#     fault: >-
#       !r.timeout.matches('[1-9]') && (r.install.timeout == '' || r.upgrade.timeout == '' ||
#       r.uninstall.timeout == '' || r.test.enable && r.test.timeout == '' ||
#       r.upgrade.strategy == 'RemediateOnFailure' && (r.upgrade.retries != 0 ||
#       r.upgrade.remediateLastFailure) && r.upgrade.remediation == 'rollback' && r.rollback.timeout == '')
#     degree: "[r.install, r.upgrade, r.uninstall, r.rollback, r.test].filter(a, a.timeout == '').size()"
#   - at: spec.install.timeout
#     fault: r.install.timeout.matches('^[^1-9]+$')
#   - at: spec.upgrade.timeout
#     fault: r.upgrade.timeout.matches('^[^1-9]+$')
#   - at: spec.uninstall.timeout
#     fault: r.uninstall.timeout.matches('^[^1-9]+$')
#   - at: spec.rollback.timeout
#     fault: >-
#       r.rollback.timeout.matches('^[^1-9]+$') && r.upgrade.strategy == 'RemediateOnFailure' &&
#       (r.upgrade.retries != 0 || r.upgrade.remediateLastFailure) && r.upgrade.remediation == 'rollback'
#   - at: spec.test.timeout
#     fault: r.test.timeout.matches('^[^1-9]+$') && r.test.enable
package remedy.rules.timing["zero-timeout"]

import data.remedy.lib

report contains lib.graded(lib.finding(["spec", "timeout"], expired(names)), count(bare)) if {
	input.effective.timeout <= 0
	names := [name | some name in actions; not own(name)]
	count(names) > 0
	bare := [name | some name in timed_fields; not own(name)] # grows only with what is written of timeouts
}

report contains finding if {
	some name in actions
	input.effective[name].timeout <= 0
	own(name)
	path := lib.at(name, ["timeout"])
	finding := object.union(lib.finding(path, expired([name])), fix(path))
}

expired(names) := sprintf("every wait of an action (%s) has already expired when it starts, so the action fails however healthy the release is", [
	concat(", ", names),
])

timed_fields := ["install", "upgrade", "uninstall", "rollback", "test"]

# The actions that can happen with these settings.
actions := array.concat(["install", "upgrade", "uninstall"], [name | some name in ["rollback", "test"]; possible[name]])

possible contains "rollback" if lib.rolls_back

possible contains "test" if input.effective.test.enable

own(name) if input.written[name].timeout

# An action without a timeout of its own has that of the release.
fix(path) := {"fix": lib.safe([lib.remove(path)])} if {
	input.effective.timeout > 0
} else := {}
