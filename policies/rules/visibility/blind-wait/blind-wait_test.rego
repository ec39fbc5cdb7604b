package remedy.rules.visibility["blind-wait_test"]

import data.remedy.lib.fixture
import data.remedy.rules.visibility["blind-wait"].report

blind(half) := object.union({"disableWait": true}, half)

at(name) := ["spec", name, "disableWait"]

test_reported[name] if {
	some name, tc in {
		"install": {"spec": {"install": blind({})}, "paths": {at("install")}},
		"upgrade": {"spec": {"upgrade": blind({})}, "paths": {at("upgrade")}},
		"both": {"spec": {"install": blind({}), "upgrade": blind({})}, "paths": {at("install"), at("upgrade")}},
		"under retry": {"spec": {"upgrade": blind({"strategy": fixture.retry})}, "paths": {at("upgrade")}},
		"under remediation": {"spec": {"upgrade": blind(fixture.bounded)}, "paths": {at("upgrade")}},
	}
	{f.path | some f in report} == tc.paths with input as fixture.release(tc.spec)
}

test_says_what_does_not_happen[name] if {
	some name, tc in {
		"retry": {"spec": {"upgrade": blind({"strategy": fixture.retry})}, "text": "pods that never start lead to no retry"},
		"rollback": {"spec": {"upgrade": blind(fixture.bounded)}, "text": "lead to no rollback"},
		"uninstall": {"spec": {"install": blind(fixture.bounded)}, "text": "lead to no uninstall"},
		"nothing": {"spec": {"upgrade": blind({})}, "text": "lead to no failure"},
	}
	some finding in report with input as fixture.release(tc.spec)
	contains(finding.message, tc.text)
}

test_says_what_is_noticed[name] if {
	some name, tc in {
		"hooks run": {"half": {}, "text": "only errors of the apply and failed hooks are still noticed"},
		"hooks do not": {"half": {"disableHooks": true}, "text": "only errors of the apply are (hooks are disabled too) still noticed"},
	}
	some finding in report with input as fixture.release({"upgrade": blind(tc.half)})
	contains(finding.message, tc.text)
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {},
		"written as the default": {"install": {"disableWait": false}, "upgrade": {"disableWait": false}},
		"jobs only": {"upgrade": {"disableWaitForJobs": true}},
		"an uninstall": {"uninstall": {"disableWait": true}},
		"a rollback": {"rollback": {"disableWait": true}},
		"null": {"upgrade": {"disableWait": null}},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_fix_waits if {
	some finding in report with input as fixture.release({"install": blind({})})
	finding.fix == {"safe": false, "set": [{"path": at("install"), "value": null}]}
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"upgrade": {"disableWait": "true"}})
