package remedy.rules.recovery["mixed-strategies_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["mixed-strategies"].report

test_reported[name] if {
	some name, install in {
		"one retry": {"remediation": {"retries": 1}},
		"many retries": {"remediation": {"retries": 50}},
		"without end": {"remediation": {"retries": -1}},
		"strategy written": fixture.bounded,
	}
	spec := {"install": install, "upgrade": {"strategy": fixture.retry}}
	{f.path | some f in report} == {["spec", "install", "strategy", "name"]} with input as fixture.release(spec)
}

test_counts_attempts[name] if {
	some name, tc in {
		"two": {"retries": 1, "text": "after 2 attempts, Stalled"},
		"four": {"retries": 3, "text": "after 4 attempts, Stalled"},
		"endless": {"retries": -1, "text": "forever"},
	}
	spec := {"install": {"remediation": {"retries": tc.retries}}, "upgrade": {"strategy": fixture.retry}}
	some finding in report with input as fixture.release(spec)
	contains(finding.message, tc.text)
}

test_says_that_the_history_is_in_the_way if {
	spec := {"install": fixture.bounded, "upgrade": {"strategy": fixture.retry}, "uninstall": {"keepHistory": true}}
	some finding in report with input as fixture.release(spec)
	contains(finding.message, "is uninstalled and cannot be installed again")
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {},
		"both retry": {"install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}},
		"both remediate": {"install": fixture.bounded, "upgrade": fixture.bounded},
		"the install gives up": {"upgrade": {"strategy": fixture.retry}},
		"the other way round": {"install": {"strategy": fixture.retry}, "upgrade": fixture.bounded},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_the_gate_makes_the_pair if {
	spec := {"install": {"remediation": {"retries": 3}}, "upgrade": {"strategy": fixture.retry}}
	count(report) == 0 with input as fixture.gated(spec)
}

test_fix_follows_the_preference[name] if {
	some name, tc in {
		"retry": {"input": fixture.release(mixed), "path": ["spec", "install", "strategy", "name"], "value": "RetryOnFailure"},
		"bounded": {"input": fixture.preferring_bounded(mixed), "path": ["spec", "upgrade", "remediation", "retries"], "value": 5},
	}
	some finding in report with input as tc.input
	{"path": tc.path, "value": tc.value} in finding.fix.set
}

mixed := {"install": {"remediation": {"retries": 5}}, "upgrade": {"strategy": fixture.retry}}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"upgrade": {"strategy": "RetryOnFailure"}})
