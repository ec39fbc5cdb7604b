package remedy.rules.recovery["ineffective-setting_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["ineffective-setting"].report

retrying(remediation) := {"strategy": fixture.retry, "remediation": remediation}

pair(install, upgrade) := {"install": install, "upgrade": upgrade}

test_dead_remediation[name] if {
	some name, tc in {
		"upgrade retries": {"spec": pair(retrying({}), retrying({"retries": 3})), "at": "upgrade", "text": "never remediated: retries has no effect"},
		"last failure": {"spec": pair(retrying({}), retrying({"remediateLastFailure": true})), "at": "upgrade", "text": "remediateLastFailure has no effect"},
		"strategy": {"spec": pair(retrying({}), retrying({"strategy": "rollback"})), "at": "upgrade", "text": "strategy has no effect"},
		"several": {"spec": pair(retrying({}), retrying({"retries": 1, "strategy": "rollback"})), "at": "upgrade", "text": "retries and strategy have no effect"},
		"install retries": {"spec": pair(retrying({"retries": 3}), retrying({})), "at": "install", "text": "a failed install is retried"},
		"endless install, but the upgrade remediates": {"spec": pair(retrying({"retries": -1}), fixture.bounded), "at": "install", "text": "retries has no effect"},
		"endless upgrade": {"spec": pair(retrying({}), retrying({"retries": -1})), "at": "upgrade", "text": "retries has no effect"},
	}
	some finding in report with input as fixture.release(tc.spec)
	finding.path == ["spec", tc.at, "remediation"]
	contains(finding.message, tc.text)
}

test_dead_rollback[name] if {
	some name, tc in {
		"retry": {"upgrade": {"strategy": fixture.retry}, "text": "because a failed upgrade is retried"},
		"uninstall": {
			"upgrade": {"strategy": {"name": "RemediateOnFailure"}, "remediation": {"retries": 1, "strategy": "uninstall"}},
			"text": "because a failed upgrade is uninstalled",
		},
		"recreate in it is the same cause": {"upgrade": {"strategy": fixture.retry}, "rollback": {"recreate": true}, "text": "a failed upgrade is retried"},
	}
	spec := {"upgrade": tc.upgrade, "rollback": object.union({"timeout": "5m"}, object.get(tc, "rollback", {}))}
	[finding | some finding in report][0].path == ["spec", "rollback"] with input as fixture.release(spec)
	{true | some f in report; contains(f.message, tc.text)} == {true} with input as fixture.release(spec)
	count(report) == 1 with input as fixture.release(spec)
}

test_recreate[name] if {
	some name, tc in {"1.5.0": 1, "1.6.3": 1, "1.4.5": 0}
	count(report) == tc with input as fixture.under(
		{"install": fixture.bounded, "upgrade": fixture.bounded, "rollback": {"recreate": true}},
		{"version": name},
	)
}

test_skip_crds if {
	{f.path | some f in report} == {["spec", "install", "skipCRDs"]} with input as fixture.release({"install": {"skipCRDs": true}})
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {},
		"bounded": {"install": fixture.bounded, "upgrade": fixture.bounded, "rollback": {"timeout": "5m"}},
		"tests are ignored": pair(retrying({}), retrying({"ignoreTestFailures": true})),
		"installed again by hand": pair(retrying({"retries": -1}), retrying({})),
		"empty remediation": pair(retrying({}), retrying({})),
		"empty rollback": {"upgrade": {"strategy": fixture.retry}, "rollback": {}},
		"written as the default": {"install": {"skipCRDs": false}, "rollback": {"recreate": false}},
		"the strategy of an upgrade is not written": {"upgrade": {"remediation": {"retries": 1, "strategy": "uninstall"}}, "rollback": {"timeout": "1m"}},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_silent_where_the_gate_decides if {
	spec := {"upgrade": {"remediation": {"retries": 3}}, "rollback": {"timeout": "5m"}}
	count(report) == 0 with input as fixture.gated(spec)
}

test_fix[name] if {
	some name, tc in {
		"the whole block": {"spec": {"upgrade": retrying({"retries": 3})}, "paths": [["spec", "upgrade", "remediation"]]},
		"what is dead in it": {
			"spec": {"upgrade": retrying({"retries": 3, "ignoreTestFailures": false})},
			"paths": [["spec", "upgrade", "remediation", "retries"]],
		},
		"crds are written": {"spec": {"install": {"skipCRDs": true, "crds": "Skip"}}, "paths": [["spec", "install", "skipCRDs"]]},
	}
	some finding in report with input as fixture.release(tc.spec)
	finding.fix.safe
	[set.path | some set in finding.fix.set] == tc.paths
	{set.value | some set in finding.fix.set} == {null}
}

test_fix_skips_crds if {
	some finding in report with input as fixture.release({"install": {"skipCRDs": true}})
	finding.fix == {"safe": false, "set": [
		{"path": ["spec", "install", "skipCRDs"], "value": null},
		{"path": ["spec", "install", "crds"], "value": "Skip"},
	]}
}

test_absent_when_refused if {
	count(report) == 0 with input as fixture.release({"timeout": 5, "install": {"skipCRDs": true}, "upgrade": retrying({"retries": 3}), "rollback": {"recreate": true}})
}
