package remedy.rules.visibility["test-limbo_test"]

import data.remedy.lib.fixture
import data.remedy.rules.visibility["test-limbo"].report

at(name) := ["spec", name, "remediation", "ignoreTestFailures"]

ignoring := {"remediation": {"retries": 3, "ignoreTestFailures": true}}

tested(spec) := object.union({"test": {"enable": true}}, spec)

test_reported[name] if {
	some name, tc in {
		"install": {"spec": {"install": ignoring}, "paths": {at("install")}},
		"upgrade": {"spec": {"upgrade": ignoring}, "paths": {at("upgrade")}},
		"both": {"spec": {"install": ignoring, "upgrade": ignoring}, "paths": {at("install"), at("upgrade")}},
		"under retry": {"spec": {"upgrade": object.union(ignoring, {"strategy": fixture.retry})}, "paths": {at("upgrade")}},
		"written out": {"spec": {"test": {"ignoreFailures": false}, "upgrade": ignoring}, "paths": {at("upgrade")}},
	}
	{f.path | some f in report} == tc.paths with input as fixture.release(tested(tc.spec))
}

test_names_the_action[name] if {
	some name in ["install", "upgrade"]
	some finding in report with input as fixture.release(tested({name: ignoring}))
	contains(finding.message, sprintf("when a test fails after an %s the release stays Ready=False with TestFailed", [name]))
}

test_accepted[name] if {
	some name, spec in {
		"tests count": tested({"upgrade": fixture.bounded}),
		"nothing is ignored": tested({"upgrade": {"remediation": {"ignoreTestFailures": false}}}),
		"ignored by both": tested({"test": {"ignoreFailures": true}, "upgrade": ignoring}),
		"ignored by the test": tested({"test": {"ignoreFailures": true}, "upgrade": fixture.bounded}),
		"no test": {"upgrade": ignoring},
		"test off": {"test": {"enable": false}, "upgrade": ignoring},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_the_gate_does_not_matter if {
	count(report) == 1 with input as fixture.gated(tested({"upgrade": ignoring}))
}

test_absent_when_refused if count(report) == 0 with input as fixture.release(tested({"upgrade": {"remediation": {"ignoreTestFailures": "yes"}}}))
