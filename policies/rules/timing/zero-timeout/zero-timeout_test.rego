package remedy.rules.timing["zero-timeout_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["zero-timeout"].report

at(name) := ["spec", name, "timeout"]

zero := {"timeout": "0s"}

test_reported[name] if {
	some name, tc in {
		"for all": {"spec": zero, "paths": {["spec", "timeout"]}},
		"install": {"spec": {"install": zero}, "paths": {at("install")}},
		"upgrade": {"spec": {"timeout": "5m", "upgrade": zero}, "paths": {at("upgrade")}},
		"uninstall": {"spec": {"uninstall": {"timeout": "0m"}}, "paths": {at("uninstall")}},
		"rollback": {"spec": {"upgrade": fixture.bounded, "rollback": zero}, "paths": {at("rollback")}},
		"test": {"spec": {"test": {"enable": true, "timeout": "0h"}}, "paths": {at("test")}},
		"less than nothing": {"spec": {"timeout": "-1s"}, "paths": {["spec", "timeout"]}},
		"two": {"spec": {"install": zero, "upgrade": zero}, "paths": {at("install"), at("upgrade")}},
		"for the rest": {"spec": {"timeout": "0s", "install": {"timeout": "5m"}}, "paths": {["spec", "timeout"]}},
		"for all and again": {"spec": {"timeout": "0s", "install": zero}, "paths": {["spec", "timeout"], at("install")}},
	}
	{f.path | some f in report} == tc.paths with input as fixture.release(tc.spec)
}

test_names_the_actions[name] if {
	some name, tc in {
		"all that take place": {"spec": zero, "text": "(install, upgrade, uninstall)"},
		"a rollback too": {"spec": object.union(zero, {"upgrade": fixture.bounded}), "text": "(install, upgrade, uninstall, rollback)"},
		"a test too": {"spec": object.union(zero, {"test": {"enable": true}}), "text": "(install, upgrade, uninstall, test)"},
		"the rest": {"spec": object.union(zero, {"install": {"timeout": "1m"}}), "text": "(upgrade, uninstall)"},
	}
	some finding in report with input as fixture.release(tc.spec)
	contains(finding.message, tc.text)
}

test_degree_counts_timeouts_that_are_not_set[name] if {
	some name, tc in {
		"all": {"spec": zero, "degree": 5},
		"whatever else happens": {"spec": object.union(zero, {"upgrade": fixture.bounded, "test": {"enable": true}}), "degree": 5},
		"the rest": {"spec": object.union(zero, {"install": {"timeout": "1m"}}), "degree": 4},
	}
	some finding in report with input as fixture.release(tc.spec)
	finding.degree == tc.degree
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {},
		"hardly more than nothing": {"timeout": "1ms"},
		"no rollback takes place": {"rollback": zero},
		"no test takes place": {"test": zero},
		"every action has its own": {
			"timeout": "0s",
			"install": {"timeout": "5m"}, "upgrade": {"timeout": "5m"}, "uninstall": {"timeout": "5m"},
		},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_fix_takes_the_release_s if {
	some finding in report with input as fixture.release({"timeout": "10m", "upgrade": zero})
	finding.fix == {"safe": true, "set": [{"path": at("upgrade"), "value": null}]}
}

test_not_fixed_without_one[name] if {
	some name, spec in {"for all": zero, "again": {
		"timeout": "0s", "install": zero,
		"upgrade": {"timeout": "1m"}, "uninstall": {"timeout": "1m"},
	}}
	some finding in report with input as fixture.release(spec)
	not finding.fix
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"timeout": "0 s"})
