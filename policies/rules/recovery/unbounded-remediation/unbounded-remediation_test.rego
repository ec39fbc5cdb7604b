package remedy.rules.recovery["unbounded-remediation_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["unbounded-remediation"].report

retries(name) := ["spec", name, "remediation", "retries"]

test_reported[name] if {
	some name, tc in {
		"install": {"install": -1, "upgrade": 3, "paths": {retries("install")}},
		"upgrade": {"install": 3, "upgrade": -1, "paths": {retries("upgrade")}},
		"both": {"install": -1, "upgrade": -1, "paths": {retries("install"), retries("upgrade")}},
		"any negative number": {"install": 3, "upgrade": -7, "paths": {retries("upgrade")}},
	}
	spec := {"install": {"remediation": {"retries": tc.install}}, "upgrade": {"remediation": {"retries": tc.upgrade}}}
	{f.path | some f in report} == tc.paths with input as fixture.release(spec)
}

test_names_the_remediation[name] if {
	some name, tc in {
		"install": {"spec": {"install": {"remediation": {"retries": -1}}}, "text": "is uninstalled and tried again forever"},
		"upgrade": {"spec": {"upgrade": {"remediation": {"retries": -1}}}, "text": "is rolled back and tried again forever"},
	}
	some finding in report with input as fixture.release(tc.spec)
	contains(finding.message, tc.text)
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {},
		"zero": {"upgrade": {"remediation": {"retries": 0}}},
		"bounded": {"install": fixture.bounded, "upgrade": fixture.bounded},
		"beside RetryOnFailure": {
			"install": {"strategy": fixture.retry, "remediation": {"retries": -1}},
			"upgrade": {"strategy": fixture.retry, "remediation": {"retries": -1}},
		},
		"an uninstall, which has a rule of its own": {"upgrade": {"remediation": {"retries": -1, "strategy": "uninstall"}}},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_accepted_by_the_gate if {
	count(report) == 0 with input as fixture.gated({"upgrade": {"remediation": {"retries": -1}}})
}

test_fix_retries if {
	spec := {"install": {"remediation": {"retries": 2}}, "upgrade": {"remediation": {"retries": -1}}}
	some finding in report with input as fixture.release(spec)
	finding.fix == {
		"safe": false,
		"set": [
			{"path": ["spec", "install", "strategy", "name"], "value": "RetryOnFailure"},
			{"path": ["spec", "upgrade", "strategy", "name"], "value": "RetryOnFailure"},
			{"path": ["spec", "install", "remediation"], "value": null},
			{"path": ["spec", "upgrade", "remediation"], "value": null},
		],
		"other": {"class": "bounded", "safe": false, "set": [{"path": ["spec", "upgrade", "remediation", "retries"], "value": 2}]},
	}
}

test_fix_keeps_what_still_has_an_effect if {
	spec := {"install": {"remediation": {"retries": -1, "remediateLastFailure": true}}, "upgrade": {"remediation": {"retries": -1}}}
	some finding in report with input as fixture.release(spec)
	{edit.path | some edit in finding.fix.set; edit.value == null} == {
		["spec", "install", "remediation", "remediateLastFailure"],
		["spec", "upgrade", "remediation"],
	}
}

test_fix_limits_where_that_is_preferred if {
	spec := {"install": {"remediation": {"retries": 2}}, "upgrade": {"remediation": {"retries": -1}}}
	some finding in report with input as fixture.preferring_bounded(spec)
	finding.fix.set == [{"path": ["spec", "upgrade", "remediation", "retries"], "value": 2}]
	finding.fix.other.class == "retry"
}

test_fix_limits_without_strategies if {
	some finding in report with input as fixture.under({"install": {"remediation": {"retries": -1}}}, {"version": "1.3.0"})
	finding.fix == {"safe": false, "set": [{"path": ["spec", "install", "remediation", "retries"], "value": 3}]}
}

test_leaves_a_chart_that_holds_data_without_strategies if {
	spec := {"chartRef": {"name": "postgresql"}, "install": {"remediation": {"retries": -1}}}
	some finding in report with input as fixture.under(spec, {"version": "1.3.0"})
	not finding.fix
	startswith(finding.help, "no repair of the install is safe")
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"upgrade": {"remediation": {"retries": "-1"}}})
