package remedy.rules.timing["default-timeout_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["default-timeout"].report

test_reported[name] if {
	some name, tc in {
		"both": {"spec": {"install": fixture.bounded, "upgrade": fixture.bounded}, "text": "an install or upgrade that is not ready within the default of 5m"},
		"install": {"spec": {"install": fixture.bounded}, "text": "an install that is not ready within the default of 5m counts as failed and is undone by an uninstall"},
		"upgrade": {"spec": {"upgrade": fixture.bounded}, "text": "is undone by a rollback"},
		"upgrade that uninstalls": {"spec": {"upgrade": {"remediation": {"retries": 1, "strategy": "uninstall"}}}, "text": "is undone by an uninstall"},
		"without end": {"spec": {"upgrade": {"remediation": {"retries": -1}}}, "text": "is undone by a rollback"},
		"only the other half's is written": {
			"spec": {"install": object.union(fixture.bounded, {"timeout": "10m"}), "upgrade": fixture.bounded},
			"text": "an upgrade that is not ready",
		},
		"only the rollback's is written": {"spec": {"upgrade": fixture.bounded, "rollback": {"timeout": "10m"}}, "text": "an upgrade that"},
	}
	some finding in report with input as fixture.release(tc.spec)
	finding.path == ["spec", "timeout"]
	contains(finding.message, tc.text)
}

test_one_finding_for_both if {
	count(report) == 1 with input as fixture.release({"install": fixture.bounded, "upgrade": fixture.bounded})
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {},
		"written": {"timeout": "10m", "install": fixture.bounded, "upgrade": fixture.bounded},
		"the default, written": {"timeout": "5m", "upgrade": fixture.bounded},
		"written for the half": {"upgrade": object.union(fixture.bounded, {"timeout": "10m"})},
		"no retries": {"upgrade": {"remediation": {"remediateLastFailure": true}}},
		"a retry": {"install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}},
		"zero, which has a rule of its own": {"install": object.union(fixture.bounded, {"timeout": "0s"}), "upgrade": fixture.bounded},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_accepted_by_the_gate if {
	count(report) == 0 with input as fixture.gated({"upgrade": {"remediation": {"retries": 3}}})
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"timeout": "5 min", "upgrade": fixture.bounded})
