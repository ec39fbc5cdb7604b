package remedy.rules.visibility["noisy-alert_test"]

import data.remedy.lib.fixture
import data.remedy.rules.visibility["noisy-alert"].report

alerted(alerting) := object.union(fixture.release({}), {"alerting": alerting})

noisy(pages, production) := {"untold": false, "noise": [{
	"alert": "apps/failures", "provider": "apps/chat", "type": "slack", "pages": pages, "production": production,
}]}

test_reported[name] if {
	some name, tc in {
		"paging": {"alerting": noisy(true, ""), "text": "which wakes people (slack)"},
		"both": {"alerting": noisy(true, "prod"), "text": "which wakes people"},
		"shared": {"alerting": noisy(false, "prod"), "text": "those of production in cluster \"prod\""},
	}
	some finding in report with input as alerted(tc.alerting)
	finding.object == "Alert/apps/failures"
	finding.path == ["spec", "providerRef"]
	contains(finding.message, tc.text)
}

test_one_each if {
	alerting := {"untold": false, "noise": array.concat(
		noisy(true, "").noise,
		[{"alert": "apps/other", "provider": "apps/chat", "type": "slack", "pages": true, "production": ""}],
	)}
	count(report) == 2 with input as alerted(alerting)
}

test_accepted if count(report) == 0 with input as alerted({"untold": true})

# Admission knows no Alerts.
test_absent_when_not_known if count(report) == 0 with input as fixture.release({})
