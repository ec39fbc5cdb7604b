package remedy.rules.recovery["no-recovery_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["no-recovery"].report

test_reported[name] if {
	some name, spec in {
		"nothing written": {},
		"empty halves": {"install": {}, "upgrade": {}},
		"zero written": {"install": {"remediation": {"retries": 0}}, "upgrade": {"remediation": {"retries": 0}}},
		"failure left on purpose": {"upgrade": {"remediation": {"remediateLastFailure": false}}},
		"last failed install cleaned up": {"install": {"remediation": {"remediateLastFailure": true}}},
		"strategies written": {"install": {"strategy": fixture.remediate}, "upgrade": {"strategy": fixture.remediate}},
		"unused uninstall": {"upgrade": {"remediation": {"strategy": "uninstall"}}},
	}
	count(report) == 1 with input as fixture.release(spec)
}

test_path[name] if {
	some name, tc in {
		"nothing written": {"spec": {}, "path": ["spec"]},
		"install only": {"spec": {"install": {"timeout": "5m"}}, "path": ["spec", "install"]},
		"upgrade wins": {"spec": {"install": {}, "upgrade": {}}, "path": ["spec", "upgrade"]},
		"the number": {
			"spec": {"upgrade": {"remediation": {"retries": 0}}},
			"path": ["spec", "upgrade", "remediation", "retries"],
		},
	}
	{f.path | some f in report} == {tc.path} with input as fixture.release(tc.spec)
}

test_says_what_happens if {
	some finding in report with input as fixture.release({})
	contains(finding.message, "Stalled with RetriesExceeded")
}

test_reported_under_a_controller_without_strategies if {
	spec := {"install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}}
	count(report) == 1 with input as fixture.under(spec, {"version": "1.3.0"})
}

test_accepted[name] if {
	some name, spec in {
		"retry": {"install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}},
		"bounded": {"install": fixture.bounded, "upgrade": fixture.bounded},
		"install recovers": {"install": fixture.bounded},
		"upgrade recovers": {"upgrade": fixture.bounded},
		"upgrade rolled back once": {"upgrade": {"remediation": {"remediateLastFailure": true}}},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_accepted_by_the_gate if count(report) == 0 with input as fixture.gated({})

test_fix_sets_both_strategies if {
	some finding in report with input as fixture.release({})
	finding.fix.set == [
		{"path": ["spec", "install", "strategy", "name"], "value": "RetryOnFailure"},
		{"path": ["spec", "upgrade", "strategy", "name"], "value": "RetryOnFailure"},
	]
}

test_fix_sets_a_retry_interval_where_the_default_is_too_short if {
	some finding in report with input as fixture.release({"timeout": "20m", "upgrade": {"timeout": "1h"}})
	finding.fix.set == [
		{"path": ["spec", "install", "strategy", "name"], "value": "RetryOnFailure"},
		{"path": ["spec", "upgrade", "strategy", "name"], "value": "RetryOnFailure"},
		{"path": ["spec", "upgrade", "strategy", "retryInterval"], "value": "15m"},
	]
}

test_fix_keeps_a_retry_interval if {
	some finding in report with input as fixture.release({"timeout": "1h", "upgrade": {"strategy": {"retryInterval": "2m"}}})
	every edit in finding.fix.set {
		edit.path != ["spec", "upgrade", "strategy", "retryInterval"]
	}
}

test_fix_is_unsafe_where_no_retry_interval_fits if {
	{f.fix.safe | some f in report} == {true} with input as fixture.release({"upgrade": {"timeout": "48h"}})
	{f.fix.safe | some f in report} == {false} with input as fixture.release({"upgrade": {"timeout": "49h"}})
	count(report[_].fix.set) == 2 with input as fixture.release({"upgrade": {"timeout": "49h"}})
}

test_fix_without_a_retry_interval_where_nothing_asks_for_one[name] if {
	some name, timeout in {"one would fit": "2h", "none would": "49h"}
	some finding in report with input as object.union(fixture.release({"timeout": timeout}), {"off": {"retry-too-fast": true}})
	finding.fix.safe
	count(finding.fix.set) == 2
}

test_fix_without_a_known_timeout if {
	some finding in report with input as object.remove(fixture.release({"timeout": "1h"}), ["timeouts"])
	count(finding.fix.set) == 2
}

test_fix_removes_the_dead_remediation if {
	some finding in report with input as fixture.release({"upgrade": {"remediation": {"retries": 0}}})
	{"path": ["spec", "upgrade", "remediation"], "value": null} in finding.fix.set
}

bounded := [
	{"path": ["spec", "install", "strategy", "name"], "value": "RemediateOnFailure"},
	{"path": ["spec", "install", "remediation", "retries"], "value": 3},
	{"path": ["spec", "upgrade", "strategy", "name"], "value": "RemediateOnFailure"},
	{"path": ["spec", "upgrade", "remediation", "retries"], "value": 3},
]

test_fix_bounds_where_that_is_preferred if {
	some finding in report with input as fixture.preferring_bounded({})
	finding.fix.set == bounded
	finding.fix.other == {"class": "retry", "safe": true, "set": retried}
}

retried := [
	{"path": ["spec", "install", "strategy", "name"], "value": "RetryOnFailure"},
	{"path": ["spec", "upgrade", "strategy", "name"], "value": "RetryOnFailure"},
]

test_names_the_other_class if {
	some finding in report with input as fixture.release({})
	finding.fix == {"safe": true, "set": retried, "other": {"class": "bounded", "safe": true, "set": bounded}}
}

test_names_no_other_class_for_a_chart_that_holds_data if {
	some finding in report with input as fixture.release({"chartRef": {"name": "postgresql"}})
	not finding.fix.other
}

test_leaves_the_install_of_a_chart_that_holds_data_without_strategies if {
	some finding in report with input as fixture.under({"chartRef": {"name": "postgresql"}}, {"version": "1.3.0"})
	finding.fix == {"safe": true, "set": [{"path": ["spec", "upgrade", "remediation", "retries"], "value": 3}]}
	startswith(finding.help, "no repair of the install is safe")
}

test_fix_drops_an_unused_uninstall if {
	some finding in report with input as fixture.preferring_bounded({"upgrade": {"remediation": {"strategy": "uninstall"}}})
	finding.fix.set == array.concat(bounded, [{"path": ["spec", "upgrade", "remediation", "strategy"], "value": "rollback"}])
}

test_fix_of_a_chart_that_holds_data_retries if {
	some finding in report with input as fixture.preferring_bounded({"chartRef": {"name": "postgresql"}})
	{"path": ["spec", "install", "strategy", "name"], "value": "RetryOnFailure"} in finding.fix.set
}

test_fix_without_strategies_bounds if {
	some finding in report with input as fixture.under({}, {"version": "1.3.0"})
	finding.fix.set == [edit | some edit in bounded; not "strategy" in edit.path]
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"install": "wrong"})

test_fix_without_strategies_where_the_version_is_hidden if {
	some finding in report with input as object.union(fixture.unknown({}), {"controller": {"versionHidden": true}})
	count(finding.fix.set) > 0
	not finding.fix.other
	every edit in finding.fix.set {
		not "strategy" in edit.path
	}
}
