package remedy.rules.visibility.suspended_test

import data.remedy.lib.fixture
import data.remedy.main
import data.remedy.rules.visibility.suspended.report

test_reported if {
	{f.path | some f in report} == {["spec", "suspend"]} with input as fixture.release({"suspend": true})
}

test_accepted[name] if {
	some name, spec in {"nothing": {}, "resumed": {"suspend": false}, "null": {"suspend": null}}
	count(report) == 0 with input as fixture.release(spec)
}

metadata := {
	"refusing": [], "alone": ["suspended"],
	"rules": {"api": ["unknown-field"], "recovery": ["no-recovery"], "visibility": ["suspended"]},
}

# A release without any recovery has nothing else to say while it is suspended.
test_alone if {
	{f.rule | some f in main.report} == {"suspended"} with input as fixture.release({"suspend": true})
		with data.metadata as metadata
}

test_beside_what_the_api_server_refuses if {
	spec := {"suspend": true, "upgrade": {"x": 1}}
	{f.rule | some f in main.report} == {"suspended", "unknown-field"} with input as fixture.release(spec)
		with data.metadata as metadata
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"suspend": "true"})
