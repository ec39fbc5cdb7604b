package remedy.rules.timing["retry-too-slow_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["retry-too-slow"].report

upgrade(retry_interval, interval) := {"interval": interval, "upgrade": {"strategy": {"name": "RetryOnFailure", "retryInterval": retry_interval}}}

test_reported[name] if {
	some name, tc in {
		"over the maximum": {"spec": upgrade("1h", "2h"), "text": "1h before the next attempt, longer than 30m, the most that is allowed"},
		"just over it": {"spec": upgrade("30m1s", "2h"), "text": "30m1s before"},
		"over the interval": {"spec": upgrade("15m", "10m"), "text": "longer than 10m, the interval at which a healthy release is looked at"},
		"over both": {"spec": upgrade("45m", "10m"), "text": "longer than 10m"},
		"the default over a short interval": {"spec": {"interval": "1m", "upgrade": {"strategy": fixture.retry}}, "text": "stays for 5m"},
		"no interval": {"spec": upgrade("31m", "0s"), "text": "longer than 30m"},
		"longer than the timeout needs": {"spec": object.union(upgrade("20m", "10m"), {"timeout": "1h"}), "text": "longer than 10m"},
		"over the maximum for a very long timeout": {"spec": object.union(upgrade("45m", "1h"), {"timeout": "3h"}), "text": "longer than 30m, the most"},
		"over the maximum, whatever is said of the timeout": {"spec": object.union(upgrade("48h", "10m"), {"timeout": "3h"}), "text": "longer than 10m"},
		"for a timeout that none fits": {"spec": object.union(upgrade("12h", "10m"), {"timeout": "96h"}), "text": "longer than 10m"},
	}
	some finding in report with input as fixture.release(tc.spec)
	finding.path == ["spec", "upgrade", "strategy", "retryInterval"]
	contains(finding.message, tc.text)
}

test_both_halves if {
	half := {"strategy": {"name": "RetryOnFailure", "retryInterval": "1h"}}
	{f.path[1] | some f in report} == {"install", "upgrade"} with input as fixture.release({"install": half, "upgrade": half})
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {},
		"the default": {"upgrade": {"strategy": fixture.retry}},
		"exactly the maximum": upgrade("30m", "1h"),
		"exactly the interval": upgrade("10m", "10m"),
		"never, which has a rule of its own": upgrade("0s", "10m"),
		"no interval": upgrade("30m", "0s"),
		"as long as the timeout needs": object.union(upgrade("15m", "10m"), {"timeout": "1h"}),
		"shorter than the timeout needs": object.union(upgrade("13m", "10m"), {"timeout": "50m"}),
		"remediation": {"interval": "1m", "upgrade": fixture.bounded},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_parameter if {
	count(report) == 1 with input as fixture.release(upgrade("6m", "1h")) with input.params as {"retry-too-slow": {"max": 300, "hopeless": 86400}}
}

test_raised_from_a_day_on[name] if {
	some name in ["24h", "876000h"]
	some finding in report with input as fixture.release(upgrade(name, "1h"))
	finding.raise == 2
}

test_not_raised_below_a_day if {
	some finding in report with input as fixture.release(upgrade("23h59m59s", "1h"))
	not finding.raise
}

test_absent_when_refused if count(report) == 0 with input as fixture.release(upgrade("1 h", "10m"))

long := object.union(upgrade("15m", "10m"), {"timeout": "1h"})

test_nothing_is_asked_for_by_a_rule_that_is_off if {
	count(report) == 0 with input as fixture.release(long)
	count(report) == 1 with input as object.union(fixture.release(long), {"off": {"retry-too-fast": true}})
}

test_never_for_longer_than_the_parameters_allow[name] if {
	was := fixture.release(long)
	some name, own in {"max": {"max": 840, "hopeless": 86400}, "hopeless": {"max": 1800, "hopeless": 900}}
	count(report) == 1 with input as object.union(was, {"params": object.union(was.params, {"retry-too-slow": own})})
}
