package remedy.rules.recovery["install-not-recovered_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["install-not-recovered"].report

test_reported[name] if {
	some name, spec in {
		"upgrade bounded": {"upgrade": fixture.bounded},
		"upgrade retries": {"upgrade": {"strategy": fixture.retry}},
		"zero written": {"install": {"remediation": {"retries": 0}}, "upgrade": fixture.bounded},
		"cleaned up but not tried again": {
			"install": {"remediation": {"remediateLastFailure": true}},
			"upgrade": fixture.bounded,
		},
		"strategy written": {"install": {"strategy": fixture.remediate}, "upgrade": fixture.bounded},
		"upgrade rolled back once": {"upgrade": {"remediation": {"remediateLastFailure": true}}},
		"upgrade without end": {"upgrade": {"remediation": {"retries": -1}}},
		"upgrade uninstalls": {"upgrade": {"remediation": {"retries": 1, "strategy": "uninstall"}}},
	}
	{f.path | some f in report} == {["spec", "install", "remediation", "retries"]} with input as fixture.release(spec)
}

test_says_that_the_retry_is_never_reached if {
	some finding in report with input as fixture.release({"upgrade": {"strategy": fixture.retry}})
	contains(finding.message, "never reached")
}

test_says_what_is_left[name] if {
	some name, tc in {
		"failed release": {"last": false, "text": "the failed release stays"},
		"nothing": {"last": true, "text": "nothing is left"},
	}
	spec := {"install": {"remediation": {"remediateLastFailure": tc.last}}, "upgrade": fixture.bounded}
	some finding in report with input as fixture.release(spec)
	contains(finding.message, tc.text)
}

test_accepted[name] if {
	some name, spec in {
		"nothing recovers": {},
		"one retry": {"install": {"remediation": {"retries": 1}}, "upgrade": fixture.bounded},
		"without end": {"install": {"remediation": {"retries": -1}}, "upgrade": fixture.bounded},
		"install retries": {"install": {"strategy": fixture.retry}},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_accepted_by_the_gate if count(report) == 0 with input as fixture.gated({"upgrade": {"strategy": fixture.retry}})

test_fix_follows_the_upgrade[name] if {
	some name, tc in {
		"retries": {
			"upgrade": {"strategy": fixture.retry},
			"set": [{"path": ["spec", "install", "strategy", "name"], "value": "RetryOnFailure"}],
		},
		"same number": {
			"upgrade": {"remediation": {"retries": 5}},
			"set": [{"path": ["spec", "install", "remediation", "retries"], "value": 5}],
		},
		"a number of its own": {
			"upgrade": {"remediation": {"retries": -1}},
			"set": [{"path": ["spec", "install", "remediation", "retries"], "value": 3}],
		},
	}
	some finding in report with input as fixture.release({"upgrade": tc.upgrade})
	finding.fix.set == tc.set
}

test_fix_of_a_chart_that_holds_data if {
	some finding in report with input as fixture.release({"chartRef": {"name": "postgresql"}, "upgrade": fixture.bounded})
	finding.fix == {"safe": false, "set": [
		{"path": ["spec", "install", "strategy", "name"], "value": "RetryOnFailure"},
		{"path": ["spec", "upgrade", "strategy", "name"], "value": "RetryOnFailure"},
		{"path": ["spec", "upgrade", "remediation"], "value": null},
	]}
}

test_leaves_a_chart_that_holds_data_without_strategies if {
	spec := {"chartRef": {"name": "postgresql"}, "upgrade": {"remediation": {"retries": 3}}}
	some finding in report with input as fixture.under(spec, {"version": "1.3.0"})
	not finding.fix
	startswith(finding.help, "no repair of the install is safe")
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"upgrade": {"remediation": {"retries": "3"}}})

test_beside_a_strategy_that_is_not_known if {
	some finding in report with input as fixture.unknown({"upgrade": {"strategy": {"name": "CanaryOnFailure"}}})
	not finding.fix
}

# What one half has is given to the other one, unless the configuration says otherwise.
test_fix_names_the_other_class[name] if {
	some name, tc in {
		"bounded": {"upgrade": fixture.bounded, "prefer": "", "safe": true, "other": "retry"},
		"bounded, as is preferred": {"upgrade": fixture.bounded, "prefer": "bounded", "safe": true, "other": "retry"},
		"bounded, where retry is preferred": {"upgrade": fixture.bounded, "prefer": "retry", "safe": false, "other": "bounded"},
		"retry": {"upgrade": {"strategy": fixture.retry}, "prefer": "", "safe": true, "other": "bounded"},
		"retry, where bounded is preferred": {"upgrade": {"strategy": fixture.retry}, "prefer": "bounded", "safe": false, "other": "retry"},
	}
	some finding in report with input as object.union(fixture.release({"upgrade": tc.upgrade}), {"prefer": tc.prefer})
	finding.fix.safe == tc.safe
	finding.fix.other.class == tc.other
	finding.fix.other.safe == tc.safe == false
}

test_fix_has_no_other_class_without_strategies if {
	some finding in report with input as fixture.under({"upgrade": {"remediation": {"retries": 3}}}, {"version": "1.3.0"})
	finding.fix.safe
	not finding.fix.other
}
