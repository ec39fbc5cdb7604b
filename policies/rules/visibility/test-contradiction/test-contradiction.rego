# METADATA
# title: A failed test is remediated while the release is Ready
# description: |
#   `test.ignoreFailures: true` keeps a failed test out of the Ready condition, but
#   `remediation.ignoreTestFailures: false` still counts it as a failed attempt. The
#   release is retried, rolled back or even uninstalled while it reports
#   Ready=True, and may end Ready and Stalled at once: no alert and no dependent
#   sees it.
#
#   Give both the same value; without the override they have.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#test-configuration
#   description: Test configuration
# custom:
#   help: Give both settings the same value, or remove the override.
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.1.0
#   scenario: test-fails
#   cel:
#   - at: spec.install.remediation.ignoreTestFailures
#     fault: >-
#       r.test.enable && r.test.ignoreFailures && !r.install.ignoreTestFailures &&
#       !(r.install.strategy == 'RetryOnFailure' && r.install.retryInterval.matches('[1-9]') &&
#       r.upgrade.ignoreTestFailures)
#   - at: spec.upgrade.remediation.ignoreTestFailures
#     fault: r.test.enable && r.test.ignoreFailures && !r.upgrade.ignoreTestFailures
package remedy.rules.visibility["test-contradiction"]

import data.remedy.lib

report contains lib.finding(lib.at(name, ["remediation", "ignoreTestFailures"]), message) if {
	input.effective.test.enable
	input.effective.test.ignoreFailures
	some name in lib.names
	not input.effective[name].ignoreTestFailures
	not settles(name)
	message := sprintf("when a test fails after an %s the release reports Ready=True, and yet the failure %s", [name, consequence(name)])
}

# Reports whether a failed test has no more consequence than one upgrade, after which
# the release is Ready: the retry of an install is an upgrade, and its tests are ignored.
settles("install") if {
	lib.retry("install")
	lib.retry_interval("install") > 0
	input.effective.upgrade.ignoreTestFailures
}

consequence(name) := sprintf("is followed by another upgrade every %s", [lib.duration(lib.retry_interval(name))]) if {
	lib.retry(name)
	lib.retry_interval(name) > 0
} else := "leaves it waiting for a retry that never comes" if {
	lib.retry(name)
} else := sprintf("is followed by %s each time, forever", [lib.remedy(name)]) if {
	lib.retries(name) < 0
} else := "is followed by an uninstall, after which it cannot be installed again" if {
	lib.live(name)
	lib.remediation(name) == "uninstall"
	lib.deadlocked
} else := "is followed by an uninstall and another install" if {
	lib.live(name)
	lib.remediation(name) == "uninstall"
	name == "upgrade"
} else := "is followed by an uninstall, until it is Ready and Stalled at once" if {
	lib.live(name)
	lib.remediation(name) == "uninstall"
} else := "is followed by a rollback, though nothing has reported that it failed" if {
	lib.live(name)
} else := "makes it Stalled as well"
