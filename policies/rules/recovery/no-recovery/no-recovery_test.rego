package rules.recovery["no-recovery_test"]

import data.lib.fixture
import data.rules.recovery["no-recovery"].report

test_reported[name] if {
	some name, spec in {
		"nothing written": {},
		"empty halves": {"install": {}, "upgrade": {}},
		"BROKEN": {"install": {"remediation": {"retries": 2}}},
		"failure left on purpose": {"upgrade": {"remediation": {"retries": 0, "remediateLastFailure": false}}},
	}
	count(report) == 1 with input as fixture.release(spec)
}
