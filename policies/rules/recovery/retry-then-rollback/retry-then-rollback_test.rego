package remedy.rules.recovery["retry-then-rollback_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["retry-then-rollback"].report

test_reported[name] if {
	some name, remediation in {
		"one retry": {"retries": 1},
		"many retries": {"retries": 50},
		"without end": {"retries": -1},
		"the last one left": {"retries": 3, "remediateLastFailure": false},
		"rollback once": {"remediateLastFailure": true},
		"rollback written": {"retries": 1, "strategy": "rollback"},
	}
	spec := {"install": {"strategy": fixture.retry}, "upgrade": {"remediation": remediation}}
	{f.path | some f in report} == {["spec", "upgrade", "strategy", "name"]} with input as fixture.release(spec)
}

test_names_the_interval if {
	install := {"strategy": {"name": "RetryOnFailure", "retryInterval": "90s"}}
	some finding in report with input as fixture.release({"install": install, "upgrade": fixture.bounded})
	contains(finding.message, "retried after 1m30s as an upgrade")
	contains(finding.message, "MissingRollbackTarget")
}

test_names_an_interval_that_never_comes if {
	install := {"strategy": {"name": "RetryOnFailure", "retryInterval": "0s"}}
	some finding in report with input as fixture.release({"install": install, "upgrade": fixture.bounded})
	contains(finding.message, "a failed first install is never retried, and")
}

test_names_the_gate if {
	some by_gate in report with input as fixture.gated({"upgrade": fixture.bounded})
	contains(by_gate.message, "as an upgrade, because the controller's gate DefaultToRetryOnFailure is on; if")
	some written in report with input as fixture.gated({"install": {"strategy": fixture.retry}, "upgrade": fixture.bounded})
	contains(written.message, "as an upgrade; if")
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {},
		"both retry": {"install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}},
		"both remediate": {"install": fixture.bounded, "upgrade": fixture.bounded},
		"no rollback at all": {"install": {"strategy": fixture.retry}},
		"uninstall": {
			"install": {"strategy": fixture.retry},
			"upgrade": {"remediation": {"retries": 1, "strategy": "uninstall"}},
		},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_the_gate_makes_the_pair if {
	count(report) == 0 with input as fixture.gated({"upgrade": {"remediation": {"retries": 3}}})
}

test_the_gate_makes_half_a_pair if {
	count(report) == 1 with input as fixture.gated({"upgrade": fixture.bounded})
}

test_fix_takes_the_rollback_away if {
	some finding in report with input as fixture.release({"install": {"strategy": fixture.retry}, "upgrade": {"remediation": {"retries": 3}}})
	not finding.fix.safe
	finding.fix.set == [
		{"path": ["spec", "upgrade", "strategy", "name"], "value": "RetryOnFailure"},
		{"path": ["spec", "upgrade", "remediation"], "value": null},
	]
}

test_fix_keeps_what_stays_live if {
	upgrade := {"remediation": {"retries": 3, "ignoreTestFailures": true}}
	some finding in report with input as fixture.release({"install": {"strategy": fixture.retry}, "upgrade": upgrade})
	finding.fix.set == [
		{"path": ["spec", "upgrade", "strategy", "name"], "value": "RetryOnFailure"},
		{"path": ["spec", "upgrade", "remediation", "retries"], "value": null},
	]
}

test_fix_bounds_where_that_is_preferred if {
	spec := {"install": {"strategy": {"name": "RetryOnFailure", "retryInterval": "1m"}}, "upgrade": {"remediation": {"retries": 4}}}
	some finding in report with input as fixture.preferring_bounded(spec)
	finding.fix.set == [
		{"path": ["spec", "install", "strategy", "retryInterval"], "value": null},
		{"path": ["spec", "install", "strategy", "name"], "value": "RemediateOnFailure"},
		{"path": ["spec", "install", "remediation", "retries"], "value": 4},
		{"path": ["spec", "upgrade", "strategy", "name"], "value": "RemediateOnFailure"},
		{"path": ["spec", "upgrade", "remediation", "retries"], "value": 4},
	]
}

test_fix_rolls_every_failure_back if {
	upgrade := {"remediation": {"retries": 3, "remediateLastFailure": false}}
	some finding in report with input as fixture.preferring_bounded({"install": {"strategy": fixture.retry}, "upgrade": upgrade})
	{"path": ["spec", "upgrade", "remediation", "remediateLastFailure"], "value": true} in finding.fix.set
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"upgrade": {"remediation": {"retries": "3"}}})

# A release that has a strategy has a controller with strategies, or the API server would refuse it.
test_fix_by_strategy_where_the_version_is_hidden if {
	hidden := object.union(fixture.unknown({"install": {"strategy": fixture.retry}, "upgrade": fixture.bounded}), {"controller": {"versionHidden": true}})
	some finding in report with input as hidden
	some edit in finding.fix.set
	edit.path == ["spec", "upgrade", "strategy", "name"]
}
