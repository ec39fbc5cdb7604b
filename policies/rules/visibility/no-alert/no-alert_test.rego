package remedy.rules.visibility["no-alert_test"]

import data.remedy.lib.fixture
import data.remedy.rules.visibility["no-alert"].report

alerted(alerting) := object.union(fixture.release({}), {"alerting": alerting})

missed(because) := {"untold": true, "missed": {
	"alert": "flux-system/on-call", "provider": "flux-system/chat", "because": because, "namespaces": ["web", "db"],
}}

test_reported[because] if {
	some because, tc in {
		"suspended": {"at": ["spec", "suspend"], "text": "Alert flux-system/on-call is suspended"},
		"provider-suspended": {"at": ["spec", "providerRef"], "text": "Provider flux-system/chat of Alert"},
		"no-provider": {"at": ["spec", "providerRef"], "text": "which the cluster does not have"},
		"commits-only": {"at": ["spec", "providerRef"], "text": "writes to commits and pull requests"},
		"excluded": {"at": ["spec", "exclusionList"], "text": "exclusionList of Alert"},
		"not-included": {"at": ["spec", "inclusionList"], "text": "inclusionList of Alert flux-system/on-call drops"},
		"locked": {"at": ["spec", "eventSources"], "text": "--no-cross-namespace-refs"},
		"labels": {"at": ["spec", "eventSources"], "text": "by labels"},
		"name": {"at": ["spec", "eventSources"], "text": "by name"},
		"namespace": {"at": ["spec", "eventSources"], "text": "in web, db, and this one is in apps"},
	}
	some finding in report with input as alerted(missed(because))
	finding.object == "Alert/flux-system/on-call"
	finding.path == tc.at
	finding.raise == 0
	contains(finding.message, tc.text)
}

test_one_finding if count(report) == 1 with input as alerted(missed("namespace"))

test_milder_about_other_kinds if {
	some finding in report with input as alerted(missed("kind"))
	finding.raise == -1
	contains(finding.message, "select no HelmReleases")
}

test_no_alert_at_all if count(report) == 0 with input as alerted({"untold": true})

test_accepted if count(report) == 0 with input as alerted({"untold": false})

test_open_where_a_variable_decides if {
	report == {{"open": "${ALERTS} decides"}} with input as alerted({"untold": false, "open": "${ALERTS} decides"})
}

# Admission knows no Alerts.
test_absent_when_not_known if count(report) == 0 with input as fixture.release({})
