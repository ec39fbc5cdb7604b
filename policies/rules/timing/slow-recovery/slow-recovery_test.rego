package remedy.rules.timing["slow-recovery_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["slow-recovery"].report
import data.remedy.rules.timing["slow-recovery"].window

spec(timeout, remediation) := {
	"timeout": timeout,
	"install": {"timeout": "1m", "remediation": {"retries": 1}},
	"upgrade": {"remediation": remediation},
	"uninstall": {"timeout": "1m"},
}

half(retries, last) := {"timeout": "100s", "remediation": {"retries": retries, "remediateLastFailure": last}}

test_window[name] if {
	some name, tc in {
		# 2 attempts and 2 rollbacks of 100s, a wait of 0.75s, 10s for the cache
		"upgrade": {"name": "upgrade", "half": half(1, true), "seconds": 410.75},
		"upgrade whose last failure is left": {"name": "upgrade", "half": half(1, false), "seconds": 310.75},
		"waits double": {"name": "upgrade", "half": half(3, true), "seconds": 835.25},
		# 2 installs of 100s, an uninstall of 60s, the second wait of a new object
		"install": {"name": "install", "half": half(1, false), "seconds": 271.5},
		"install whose last failure is remediated": {"name": "install", "half": half(1, true), "seconds": 331.5},
	}
	window(tc.name) == tc.seconds with input as fixture.release({tc.name: tc.half, "rollback": {"timeout": "100s"}, "uninstall": {"timeout": "1m"}})
}

test_reported[name] if {
	some name, tc in {
		"long timeout": spec("30m", {"retries": 3}),
		"many retries": spec("10m", {"retries": 10}),
		"rollback written": spec("1h", {"retries": 1, "strategy": "rollback"}),
		"last failure left": spec("1h", {"retries": 1, "remediateLastFailure": false}),
	}
	{f.path | some f in report} == {["spec", "upgrade", "remediation", "retries"]} with input as fixture.release(tc)
}

test_raised_from_a_day_on[timeout] if {
	some timeout in ["8h", "876000h"]
	some finding in report with input as fixture.release(spec(timeout, {"retries": 1, "remediateLastFailure": false}))
	finding.raise == 1
}

test_not_raised_below_a_day if {
	some finding in report with input as fixture.release(spec("7h", {"retries": 1, "remediateLastFailure": false}))
	not finding.raise
}

test_reported_for_an_install if {
	{f.path[1] | some f in report} == {"install"} with input as fixture.release({"install": {"timeout": "1h", "remediation": {"retries": 2}}})
}

test_gives_the_numbers if {
	some finding in report with input as fixture.release(spec("30m", {"retries": 3}))
	contains(finding.message, "a failing upgrade is Stalled after 2h3m, and after 4h1m if each rollback takes its timeout, too: 4 attempts of 30m, and")
	contains(finding.message, "at most 2h are allowed")
}

test_says_what_is_only_just_too_long[timeout] if {
	some timeout, told in {"14m56s": "after 2h4s if", "14m59s": "after 2h28s if", "15m": "after 2h1m if"}
	some finding in report with input as fixture.release(spec(timeout, {"retries": 3}))
	contains(finding.message, told)
}

test_accepted[name] if {
	some name, tc in {
		"nothing": {},
		"in time": spec("10m", {"retries": 3}),
		"a retry": {"timeout": "3h", "install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}},
		"no retries": spec("3h", {"remediateLastFailure": true}),
		"too many retries, which has a rule of its own": spec("1h", {"retries": 11}),
		"without end, which has a rule of its own": spec("1h", {"retries": -1}),
		"an uninstall, which has a rule of its own": spec("1h", {"retries": 3, "strategy": "uninstall"}),
	}
	count(report) == 0 with input as fixture.release(tc)
}

test_boundary[name] if {
	some name, tc in {"at the limit": {"max": 410.75, "count": 0}, "over it": {"max": 410.7, "count": 1}}
	count(report) == tc.count with input as fixture.release({"timeout": "100s", "upgrade": {"remediation": {"retries": 1}}})
		with input.params as {"slow-recovery": {"max": tc.max}}
}
