package remedy.rules.visibility["blind-rollback_test"]

import data.remedy.lib.fixture
import data.remedy.rules.visibility["blind-rollback"].path
import data.remedy.rules.visibility["blind-rollback"].report

blind(install, upgrade) := {"install": install, "upgrade": upgrade, "rollback": {"disableWait": true}}

test_reported[name] if {
	some name, spec in {
		"bounded": blind(fixture.bounded, fixture.bounded),
		"bounded by default strategies": blind({"remediation": {"retries": 1}}, {"remediation": {"retries": 10}}),
		"the upgrade is blind too": blind(fixture.bounded, object.union(fixture.bounded, {"disableWait": true})),
	}
	{f.path | some f in report} == {path} with input as fixture.release(spec)
}

test_says_what_follows if {
	some finding in report with input as fixture.release(blind(fixture.bounded, fixture.bounded))
	contains(finding.message, "recorded as deployed all the same and becomes the target of the next rollback")
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {"rollback": {"disableWait": true}},
		"both retry": blind({"strategy": fixture.retry}, {"strategy": fixture.retry}),
		"no install budget": blind({}, fixture.bounded),
		"too many retries": blind(fixture.bounded, {"remediation": {"retries": 11}}),
		"without end": blind(fixture.bounded, {"remediation": {"retries": -1}}),
		"an uninstall": blind(fixture.bounded, {"remediation": {"retries": 3, "strategy": "uninstall"}}),
		"a rollback that waits": {"install": fixture.bounded, "upgrade": fixture.bounded, "rollback": {"disableWait": false}},
		"jobs only": {"install": fixture.bounded, "upgrade": fixture.bounded, "rollback": {"disableWaitForJobs": true}},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_the_gate_decides if {
	half := {"remediation": {"retries": 3}}
	count(report) == 1 with input as fixture.release(blind(half, half))
	count(report) == 0 with input as fixture.gated(blind(half, half))
}

test_fix_waits if {
	some finding in report with input as fixture.release(blind(fixture.bounded, fixture.bounded))
	finding.fix == {"safe": false, "set": [{"path": path, "value": null}]}
}

test_absent_when_refused if {
	count(report) == 0 with input as fixture.release({"install": fixture.bounded, "upgrade": fixture.bounded, "rollback": {"disableWait": 1}})
}
