package remedy.rules.recovery["gate-dependent_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["gate-dependent"].report

at(name) := ["spec", name, "remediation"]

retries(n) := {"remediation": {"retries": n}}

both := {"install": retries(3), "upgrade": retries(3)}

test_reported[name] if {
	some name, tc in {
		"bounded": {"spec": both, "path": at("upgrade")},
		"the install is written out": {"spec": {"install": fixture.bounded, "upgrade": retries(3)}, "path": at("upgrade")},
		"the upgrade is written out": {"spec": {"install": retries(3), "upgrade": fixture.bounded}, "path": at("install")},
		"both limits": {"spec": {"install": retries(1), "upgrade": retries(10)}, "path": at("upgrade")},
	}
	{f.path | some f in report} == {tc.path} with input as fixture.release(tc.spec)
}

test_a_warning_where_the_gate_is_not_known if {
	some finding in report with input as fixture.unknown(both)
	finding.raise == 1
	contains(finding.message, "gate DefaultToRetryOnFailure off a failed upgrade is followed by a rollback; with the gate on it is retried every 5m")
}

test_an_info_where_the_controller_is_known if {
	some finding in report with input as fixture.under(both, {"version": "1.6.3"})
	not finding.raise
}

test_an_error_where_the_gate_kills_a_rollback[name] if {
	some name, spec in {"bounded": both, "upgrade only": {"upgrade": retries(1)}, "without end": {"upgrade": retries(-1)}}
	some finding in report with input as fixture.gated(spec)
	finding.raise == 2
	contains(finding.message, "the rollback that is written here never takes place")
}

test_an_info_where_the_gate_kills_less[name] if {
	some name, tc in {
		"install": {"spec": {"install": retries(3)}, "text": "gate DefaultToRetryOnFailure on a failed install is retried every 5m without a remediation; with the gate off it is followed by an uninstall"},
		"an uninstall": {"spec": {"upgrade": {"remediation": {"retries": 3, "strategy": "uninstall"}}}, "text": "with the gate off it is followed by an uninstall"},
		"nothing": {"spec": {"upgrade": retries(0)}, "text": "with the gate off it is final"},
	}
	some finding in report with input as fixture.gated(tc.spec)
	not finding.raise
	contains(finding.message, tc.text)
}

test_accepted[name] if {
	some name, tc in {
		"nothing": {"spec": {}, "controller": {}},
		"empty halves": {"spec": {"install": {}, "upgrade": {"timeout": "5m"}}, "controller": {}},
		"bounded, written out": {"spec": {"install": fixture.bounded, "upgrade": fixture.bounded}, "controller": {}},
		"retry, written out": {"spec": {"install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}}, "controller": {}},
		"violating either way": {"spec": {"install": retries(3), "upgrade": {"strategy": {"name": "RetryOnFailure", "retryInterval": "0s"}}}, "controller": {}},
		"a controller without strategies": {"spec": both, "controller": {"version": "1.3.0"}},
	}
	count(report) == 0 with input as fixture.under(tc.spec, tc.controller)
}

test_version_boundary[name] if {
	some name, tc in {"1.4.0": 1, "1.3.99": 0}
	count(report) == tc with input as fixture.under(both, {"version": name})
}

test_not_under_beta if {
	count(report) == 0 with input as fixture.beta("v2beta2", both, {"version": "1.4.5"})
}

test_fix_keeps_what_is_in_force if {
	some finding in report with input as fixture.release(both)
	finding.fix.safe
	[set.path | some set in finding.fix.set] == [["spec", "install", "strategy", "name"], ["spec", "upgrade", "strategy", "name"]]
	{set.value | some set in finding.fix.set} == {"RemediateOnFailure"}
}

test_fix_writes_what_is_missing if {
	some finding in report with input as fixture.release({"install": fixture.bounded, "upgrade": retries(3)})
	[set.path[1] | some set in finding.fix.set] == ["upgrade"]
}

# With the gate on the fix follows the preference, but never uninstalls data.
test_fix_writes_what_is_preferred[name] if {
	some name, tc in {
		"retry": {"prefer": "retry", "chart": "podinfo", "value": "RetryOnFailure"},
		"bounded": {"prefer": "bounded", "chart": "podinfo", "value": "RemediateOnFailure"},
		"data": {"prefer": "bounded", "chart": "postgresql", "value": "RetryOnFailure"},
	}
	spec := object.union(both, {"chart": {"spec": {"chart": tc.chart}}})
	some finding in report with input as object.union(fixture.gated(spec), {"prefer": tc.prefer})
	finding.fix.safe == false
	{set.value | some set in finding.fix.set; set.path[2] == "strategy"} == {tc.value}
}

test_names_the_other_class[name] if {
	some name, tc in {
		"retry": {"prefer": "retry", "chart": "app", "other": {"bounded"}},
		"bounded": {"prefer": "bounded", "chart": "app", "other": {"retry"}},
		"a chart that holds data": {"prefer": "retry", "chart": "postgresql", "other": set()},
	}
	spec := {"chartRef": {"name": tc.chart}, "install": retries(3), "upgrade": retries(3)}
	some finding in report with input as object.union(fixture.gated(spec), {"prefer": tc.prefer})
	{finding.fix.other.class | finding.fix.other} == tc.other
}

test_fix_takes_the_dead_rollback_away if {
	some finding in report with input as fixture.gated({"upgrade": retries(3)})
	[set.path | some set in finding.fix.set; set.value == null] == [["spec", "upgrade", "remediation"]]
}

test_not_fixed_where_that_is_not_enough[name] if {
	some name, spec in {"no install budget": {"upgrade": retries(3)}, "no upgrade budget": {"install": retries(3)}}
	some finding in report with input as object.union(fixture.gated(spec), {"prefer": "bounded"})
	not finding.fix
}

test_silent_where_another_rule_speaks[name] if {
	some name, spec in {
		"install only": {"install": retries(3)},
		"upgrade only": {"upgrade": retries(3)},
		"no retries": {"upgrade": retries(0)},
		"too many": {"install": retries(3), "upgrade": retries(11)},
		"without end": {"install": retries(-1), "upgrade": retries(-1)},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"upgrade": retries("3")})

# The strategy is set explicitly only where the controller is known to have the field.
test_no_fix_for_an_unknown_controller if {
	half := {"remediation": {"retries": 3}}
	some finding in report with input as fixture.unknown({"install": half, "upgrade": half})
	not finding.fix
	startswith(finding.help, "no repair is safe while the version of helm-controller is not known, since strategy.name needs 1.4.0: set spec.controller.version")
}
