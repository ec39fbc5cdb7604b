package remedy.rules.recovery["upgrade-not-recovered_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["upgrade-not-recovered"].report

test_reported[name] if {
	some name, spec in {
		"install bounded": {"install": fixture.bounded},
		"install retries": {"install": {"strategy": fixture.retry}},
		"install without end": {"install": {"remediation": {"retries": -1}}},
		"zero written": {"install": fixture.bounded, "upgrade": {"remediation": {"retries": 0}}},
		"left on purpose": {"install": fixture.bounded, "upgrade": {"remediation": {"remediateLastFailure": false}}},
		"unused uninstall": {"install": fixture.bounded, "upgrade": {"remediation": {"strategy": "uninstall"}}},
		"half a pair and unused uninstall": {
			"install": {"strategy": fixture.retry},
			"upgrade": {"remediation": {"strategy": "uninstall"}},
		},
	}
	{f.path | some f in report} == {["spec", "upgrade", "remediation", "retries"]} with input as fixture.release(spec)
}

test_tells_of_the_one_attempt_more if {
	some finding in report with input as fixture.release({"install": {"strategy": fixture.retry}})
	contains(finding.message, "one more attempt, as an upgrade")
}

test_accepted[name] if {
	some name, spec in {
		"nothing recovers": {},
		"one retry": {"install": fixture.bounded, "upgrade": {"remediation": {"retries": 1}}},
		"without end": {"install": fixture.bounded, "upgrade": {"remediation": {"retries": -1}}},
		"rolled back once": {"install": fixture.bounded, "upgrade": {"remediation": {"remediateLastFailure": true}}},
		"upgrade retries": {"install": fixture.bounded, "upgrade": {"strategy": fixture.retry}},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_accepted_by_the_gate if count(report) == 0 with input as fixture.gated({"install": {"strategy": fixture.retry}})

test_fix_follows_the_install[name] if {
	some name, tc in {
		"retries": {
			"install": {"strategy": fixture.retry},
			"upgrade": {},
			"set": [{"path": ["spec", "upgrade", "strategy", "name"], "value": "RetryOnFailure"}],
		},
		"same number": {
			"install": {"remediation": {"retries": 2}},
			"upgrade": {},
			"set": [{"path": ["spec", "upgrade", "remediation", "retries"], "value": 2}],
		},
		"not beyond the bound": {
			"install": {"remediation": {"retries": 50}},
			"upgrade": {},
			"set": [{"path": ["spec", "upgrade", "remediation", "retries"], "value": 3}],
		},
		"no uninstall": {
			"install": {"remediation": {"retries": 2}},
			"upgrade": {"remediation": {"strategy": "uninstall"}},
			"set": [
				{"path": ["spec", "upgrade", "remediation", "retries"], "value": 2},
				{"path": ["spec", "upgrade", "remediation", "strategy"], "value": "rollback"},
			],
		},
	}
	some finding in report with input as fixture.release({"install": tc.install, "upgrade": tc.upgrade})
	finding.fix.set == tc.set
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"install": []})

test_beside_a_strategy_that_is_not_known if {
	some finding in report with input as fixture.unknown({"install": {"strategy": {"name": "CanaryOnFailure"}}})
	not finding.fix
}

# What one half has is given to the other one, unless the configuration says otherwise.
test_fix_names_the_other_class[name] if {
	some name, tc in {
		"bounded": {"install": fixture.bounded, "prefer": "", "safe": true, "other": "retry"},
		"bounded, as is preferred": {"install": fixture.bounded, "prefer": "bounded", "safe": true, "other": "retry"},
		"bounded, where retry is preferred": {"install": fixture.bounded, "prefer": "retry", "safe": false, "other": "bounded"},
		"retry": {"install": {"strategy": fixture.retry}, "prefer": "", "safe": true, "other": "bounded"},
		"retry, where bounded is preferred": {"install": {"strategy": fixture.retry}, "prefer": "bounded", "safe": false, "other": "retry"},
	}
	some finding in report with input as object.union(fixture.release({"install": tc.install}), {"prefer": tc.prefer})
	finding.fix.safe == tc.safe
	finding.fix.other.class == tc.other
	finding.fix.other.safe == tc.safe == false
}

test_fix_has_no_other_class_without_strategies if {
	some finding in report with input as fixture.under({"install": {"remediation": {"retries": 3}}}, {"version": "1.3.0"})
	finding.fix.safe
	not finding.fix.other
}
