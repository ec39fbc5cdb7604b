package remedy.rules.recovery["rollback-without-retry_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["rollback-without-retry"].report

test_reported[name] if {
	some name, remediation in {
		"retries unset": {"remediateLastFailure": true},
		"retries zero": {"retries": 0, "remediateLastFailure": true},
		"rollback written": {"remediateLastFailure": true, "strategy": "rollback"},
	}
	spec := {"install": fixture.bounded, "upgrade": {"remediation": remediation}}
	{f.path | some f in report} == {["spec", "upgrade", "remediation", "retries"]} with input as fixture.release(spec)
}

test_accepted[name] if {
	some name, upgrade in {
		"nothing": {},
		"one retry": {"remediation": {"retries": 1, "remediateLastFailure": true}},
		"neither": {"remediation": {"retries": 0, "remediateLastFailure": false}},
		"an uninstall": {"remediation": {"remediateLastFailure": true, "strategy": "uninstall"}},
		"beside RetryOnFailure": {"strategy": fixture.retry, "remediation": {"remediateLastFailure": true}},
	}
	count(report) == 0 with input as fixture.release({"install": fixture.bounded, "upgrade": upgrade})
}

test_fix_takes_the_install_s_number if {
	spec := {"install": {"remediation": {"retries": 4}}, "upgrade": {"remediation": {"remediateLastFailure": true}}}
	some finding in report with input as fixture.release(spec)
	finding.fix == {"safe": true, "set": [{"path": ["spec", "upgrade", "remediation", "retries"], "value": 4}]}
}

test_absent_when_refused if {
	count(report) == 0 with input as fixture.release({"upgrade": {"remediation": {"remediateLastFailure": "yes"}}})
}
