package remedy.rules.timing["never-retried_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["never-retried"].report

every_(interval) := {"strategy": {"name": "RetryOnFailure", "retryInterval": interval}}

at(name) := ["spec", name, "strategy", "retryInterval"]

test_reported[name] if {
	some name, tc in {
		"install": {"spec": {"install": every_("0s"), "upgrade": every_("5m")}, "paths": {at("install")}},
		"upgrade": {"spec": {"install": every_("5m"), "upgrade": every_("0s")}, "paths": {at("upgrade")}},
		"both": {"spec": {"install": every_("0s"), "upgrade": every_("0s")}, "paths": {at("install"), at("upgrade")}},
		"less than nothing": {"spec": {"install": every_("-1s"), "upgrade": every_("5m")}, "paths": {at("install")}},
		"other units": {"spec": {"upgrade": every_("0h0m0.0s")}, "paths": {at("upgrade")}},
	}
	{f.path | some f in report} == tc.paths with input as fixture.release(tc.spec)
}

test_quotes_the_status[name] if {
	some name in ["install", "upgrade"]
	some finding in report with input as fixture.release({name: every_("0m")})
	contains(finding.message, sprintf("a failed %s is never tried again: the status says \"retrying after 0s\"", [name]))
}

test_accepted[name] if {
	some name, upgrade in {
		"nothing": {},
		"the default": {"strategy": fixture.retry},
		"hardly more than nothing": every_("1ms"),
		"five minutes": every_("5m"),
		"remediation": fixture.bounded,
	}
	count(report) == 0 with input as fixture.release({"upgrade": upgrade})
}

test_accepted_by_the_gate if count(report) == 0 with input as fixture.gated({})

test_accepted_where_dropped if {
	count(report) == 0 with input as fixture.under({"upgrade": every_("0s")}, {"version": "1.3.0"})
}

test_fix_is_the_default if {
	some finding in report with input as fixture.release({"upgrade": every_("0s")})
	finding.fix == {"safe": true, "set": [{"path": at("upgrade"), "value": "5m"}]}
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"upgrade": every_(0)})
