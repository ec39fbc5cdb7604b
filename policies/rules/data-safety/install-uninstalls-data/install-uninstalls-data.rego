# METADATA
# title: A failed install of a stateful chart is undone by an uninstall
# description: |
#   The remediation of an install is always an uninstall. For a database, a queue or
#   storage that is more than a clean slate: it deletes the volume claims and custom
#   resources in the templates, and with custom resources whatever their finalizers
#   take along. A first install that is
#   only slow (images, volumes, quorum) is destroyed in the middle of its start.
#
#   Use `RetryOnFailure` for such a chart, which tries again over what is there.
#   With the charts at hand (`--charts`, `--rendered`) the chart itself says what is lost and
#   what stays. Without them the name of the chart does, or for a `chartRef` the name of what it
#   refers to: `spec.law.statefulCharts` of the configuration lists those that hold data.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#install-remediation
#   description: Install remediation
# custom:
#   help: Use RetryOnFailure, which tries again over what is there.
#   severity: {production: warning, staging: info, development: "off"}
#   raise: 1
#   since: 0.1.0
#   scenario: install-fails
#   moved: {charts: statefulCharts}
package remedy.rules["data-safety"]["install-uninstalls-data"]

import data.remedy.lib
import data.remedy.lib.chart
import data.remedy.lib.loss
import data.remedy.lib.recovery

report contains loss.weighed(object.union_n([lib.graded(lib.finding(path, message), endless), fix, recovery.install_left])) if {
	lib.uninstalls.install
	chart.stateful
	message := sprintf("a failed install of %s is undone by an uninstall %s%s%s", [
		input.stateful, times, loss.along, loss.stays,
	])
}

# Neither the chart nor its name says what is lost.
report contains {"open": input.loss.doubt} if {
	lib.uninstalls.install
	not chart.stateful
}

# Without a limit is worse. It has a rule of its own, which may be off or waived where data is not meant to be lost.
endless := 1 if {
	input.effective.install.retries < 0
} else := 0

# Both halves retry: an install that retries leaves no revision to roll back to.
fix := {"fix": lib.unsafe(recovery.by_retry(["install", "upgrade"]))} if {
	recovery.preferred_class == "retry"
} else := {}

path := ["spec", "install", "remediation", "retries"] if {
	input.effective.install.retries != 0
} else := ["spec", "install", "remediation", "remediateLastFailure"]

times := "again and again, without end" if {
	endless == 1
} else := sprintf("up to %s", [lib.plural(input.effective.install.retries + last_too[input.effective.install.remediateLastFailure], "time")])

last_too := {true: 1, false: 0}
