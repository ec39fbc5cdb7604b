package remedy.rules.visibility["test-contradiction_test"]

import data.remedy.lib.fixture
import data.remedy.rules.visibility["test-contradiction"].report

at(name) := ["spec", name, "remediation", "ignoreTestFailures"]

counting(remediation) := {"remediation": object.union({"ignoreTestFailures": false}, remediation)}

tested(spec) := object.union({"test": {"enable": true, "ignoreFailures": true}}, spec)

test_reported[name] if {
	some name, tc in {
		"install": {"spec": {"install": counting({"retries": 1})}, "paths": {at("install")}},
		"upgrade": {"spec": {"upgrade": counting({"retries": 1})}, "paths": {at("upgrade")}},
		"both": {"spec": {"install": counting({}), "upgrade": counting({})}, "paths": {at("install"), at("upgrade")}},
	}
	{f.path | some f in report} == tc.paths with input as fixture.release(tested(tc.spec))
}

test_says_what_follows[name] if {
	some name, tc in {
		"rollback": {"spec": {"upgrade": counting({"retries": 1})}, "text": "followed by a rollback, though nothing has reported"},
		"uninstall": {"spec": {"install": counting({"retries": 1})}, "text": "followed by an uninstall, until it is Ready and Stalled at once"},
		"without end": {"spec": {"upgrade": counting({"retries": -1})}, "text": "a rollback each time, forever"},
		"nothing": {"spec": {"upgrade": counting({})}, "text": "makes it Stalled as well"},
		"retry": {"spec": {"upgrade": object.union(counting({}), {"strategy": fixture.retry})}, "text": "another upgrade every 5m"},
		"never": {
			"spec": {"upgrade": object.union(counting({}), {"strategy": {"name": "RetryOnFailure", "retryInterval": "0s"}})},
			"text": "a retry that never comes",
		},
		"installed anew": {
			"spec": {"upgrade": counting({"retries": 1, "strategy": "uninstall"})},
			"text": "followed by an uninstall and another install",
		},
		"history in the way": {
			"spec": {"install": counting({"retries": 1}), "uninstall": {"keepHistory": true}},
			"text": "an uninstall, after which it cannot be installed again",
		},
	}
	some finding in report with input as fixture.release(tested(tc.spec))
	contains(finding.message, tc.text)
}

test_accepted[name] if {
	some name, spec in {
		"ignored by both": tested({"upgrade": {"remediation": {"ignoreTestFailures": true}}}),
		"ignored without saying so": tested({"upgrade": fixture.bounded}),
		"ignored by neither": {"test": {"enable": true}, "upgrade": counting({"retries": 1})},
		"ignored by the remediation alone": {"test": {"enable": true}, "upgrade": {"remediation": {"ignoreTestFailures": true}}},
		"no test": {"test": {"ignoreFailures": true}, "upgrade": counting({"retries": 1})},
		"an install that the upgrade settles": tested({
			"install": object.union(counting({}), {"strategy": fixture.retry}),
			"upgrade": {"remediation": {"ignoreTestFailures": true}},
		}),
		"null": tested({"upgrade": {"remediation": {"ignoreTestFailures": null}}}),
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_absent_when_refused if count(report) == 0 with input as fixture.release(tested({"upgrade": counting({"retries": "1"})}))
