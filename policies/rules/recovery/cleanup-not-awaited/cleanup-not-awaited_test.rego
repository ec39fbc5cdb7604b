package remedy.rules.recovery["cleanup-not-awaited_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["cleanup-not-awaited"].report

at(key) := ["spec", "uninstall", key]

blind(spec) := object.union({"uninstall": {"disableWait": true}}, spec)

orphan(spec) := object.union({"uninstall": {"deletionPropagation": "orphan"}}, spec)

test_reported[name] if {
	some name, tc in {
		"install": {"spec": blind({"install": fixture.bounded}), "paths": {at("disableWait")}},
		"install without end": {"spec": blind({"install": {"remediation": {"retries": -1}}}), "paths": {at("disableWait")}},
		"upgrade that uninstalls": {"spec": blind({"upgrade": {"remediation": {"retries": 1, "strategy": "uninstall"}}}), "paths": {at("disableWait")}},
		"orphans": {"spec": orphan({"install": fixture.bounded}), "paths": {at("deletionPropagation")}},
		"both": {"spec": blind(orphan({"install": fixture.bounded})), "paths": {at("disableWait"), at("deletionPropagation")}},
	}
	{f.path | some f in report} == tc.paths with input as fixture.release(tc.spec)
}

test_says_what_collides[name] if {
	some name, tc in {
		"terminating": {"spec": blind({"install": fixture.bounded}), "text": "the attempt after a failed install starts while the objects of the failed one are still terminating"},
		"orphaned": {"spec": orphan({"install": fixture.bounded}), "text": "the pods of the failed one go on running"},
		"upgrade": {"spec": orphan({"upgrade": {"remediation": {"retries": 1, "strategy": "uninstall"}}}), "text": "after a failed upgrade"},
	}
	some finding in report with input as fixture.release(tc.spec)
	contains(finding.message, tc.text)
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {"install": fixture.bounded},
		"no remediation": blind(orphan({})),
		"both retry": blind(orphan({"install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}})),
		"upgrades roll back": blind(orphan({"upgrade": fixture.bounded})),
		"no attempt after the uninstall": blind({"install": {"remediation": {"remediateLastFailure": true}}}),
		"foreground": {"uninstall": {"deletionPropagation": "foreground"}, "install": fixture.bounded},
		"written as the default": {"uninstall": {"deletionPropagation": "background", "disableWait": false}, "install": fixture.bounded},
		"hooks only": {"uninstall": {"disableHooks": true}, "install": fixture.bounded},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_accepted_by_the_gate if {
	count(report) == 0 with input as fixture.gated(blind({"install": {"remediation": {"retries": 3}}}))
}

test_fix_waits if {
	some finding in report with input as fixture.release(blind({"install": fixture.bounded}))
	finding.fix == {"safe": false, "set": [{"path": at("disableWait"), "value": null}]}
}

test_absent_when_refused if count(report) == 0 with input as fixture.release(blind({"install": {"remediation": {"retries": 1.5}}}))
