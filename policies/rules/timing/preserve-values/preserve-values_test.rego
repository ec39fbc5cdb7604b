package remedy.rules.timing["preserve-values_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["preserve-values"].report

at := ["spec", "upgrade", "preserveValues"]

test_reported if {
	some finding in report with input as fixture.release({"interval": "2h", "upgrade": {"preserveValues": true}})
	finding.path == at
	contains(finding.message, "upgraded forever, up to 15m apart")
	finding.fix == {"safe": false, "set": [{"path": at, "value": null}]}
}

test_says_how_often[interval] if {
	some interval, says in {"2m": "upgraded every 2m, forever", "0s": "it stays in force"}
	strategy := {"name": "RetryOnFailure", "retryInterval": interval}
	some finding in report with input as fixture.release({"upgrade": {"preserveValues": true, "strategy": strategy}})
	contains(finding.message, says)
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {},
		"written as the default": {"upgrade": {"preserveValues": false}},
		"null": {"upgrade": {"preserveValues": null}},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"upgrade": {"preserveValues": "true"}})
