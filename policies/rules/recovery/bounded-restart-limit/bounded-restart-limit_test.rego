package remedy.rules.recovery["bounded-restart-limit_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["bounded-restart-limit"].report

test_reported[name] if {
	some name, spec in {
		"bounded": {"install": fixture.bounded, "upgrade": fixture.bounded},
		"strategies unset": {"install": {"remediation": {"retries": 1}}, "upgrade": {"remediation": {"retries": 1}}},
		"at the bound": {"install": {"remediation": {"retries": 10}}, "upgrade": {"remediation": {"retries": 10}}},
	}
	{f.path | some f in report} == {["spec", "upgrade", "remediation"]} with input as fixture.release(spec)
}

test_accepted[name] if {
	some name, spec in {
		"retry": {"install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}},
		"nothing": {},
		"too many": {"install": {"remediation": {"retries": 11}}, "upgrade": {"remediation": {"retries": 10}}},
		"one half": {"upgrade": fixture.bounded},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_accepted_by_the_gate if {
	spec := {"install": {"remediation": {"retries": 1}}, "upgrade": {"remediation": {"retries": 1}}}
	count(report) == 0 with input as fixture.gated(spec)
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"install": fixture.bounded, "upgrade": []})
