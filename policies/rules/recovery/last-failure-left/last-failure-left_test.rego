package remedy.rules.recovery["last-failure-left_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["last-failure-left"].report

upgrade(remediation) := {"install": fixture.bounded, "upgrade": {"remediation": remediation}}

test_reported[name] if {
	some name, remediation in {
		"one retry": {"retries": 1, "remediateLastFailure": false},
		"many": {"retries": 50, "remediateLastFailure": false},
		"rollback written": {"retries": 2, "remediateLastFailure": false, "strategy": "rollback"},
	}
	{f.path | some f in report} == {["spec", "upgrade", "remediation", "remediateLastFailure"]} with input as fixture.release(upgrade(remediation))
}

test_counts_attempts if {
	some finding in report with input as fixture.release(upgrade({"retries": 1, "remediateLastFailure": false}))
	contains(finding.message, "when 2 attempts of an upgrade have failed")
}

test_accepted[name] if {
	some name, remediation in {
		"unset": {"retries": 3},
		"true": {"retries": 3, "remediateLastFailure": true},
		"no retries": {"retries": 0, "remediateLastFailure": false},
		"there is no last one": {"retries": -1, "remediateLastFailure": false},
		"an uninstall": {"retries": 1, "remediateLastFailure": false, "strategy": "uninstall"},
	}
	count(report) == 0 with input as fixture.release(upgrade(remediation))
}

test_accepted_for_an_install if {
	count(report) == 0 with input as fixture.release({"install": {"remediation": {"retries": 3, "remediateLastFailure": false}}})
}

test_accepted_beside_retry if {
	upgrade := {"strategy": fixture.retry, "remediation": {"retries": 3, "remediateLastFailure": false}}
	count(report) == 0 with input as fixture.release({"upgrade": upgrade})
}

test_absent_when_refused if {
	count(report) == 0 with input as fixture.release(upgrade({"retries": 1, "remediateLastFailure": "false"}))
}
