package remedy.rules["data-safety"]["definition-not-kept_test"]

import data.remedy.lib.fixture
import data.remedy.rules["data-safety"]["definition-not-kept"].report

defining(definitions) := object.union(fixture.release({}), {"loss": {
	"certain": true, "chart": "events 1.0.0", "definitions": definitions, "dropped": [], "kept": [], "lost": definitions,
}})

test_reported if {
	some finding in report with input as defining(["streams.events.example.com"])
	contains(finding.message, "an uninstall of events 1.0.0 deletes the definitions streams.events.example.com and every custom resource")
}

test_many_are_counted if {
	some finding in report with input as defining(["a", "b", "c", "d", "e", "f"])
	contains(finding.message, "deletes the definitions a, b, c, d and 2 more and every custom resource")
}

test_accepted if count(report) == 0 with input as defining([])

test_absent if count(report) == 0 with input as fixture.release({})
