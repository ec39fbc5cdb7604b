package remedy.rules.timing["retry-too-fast_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["retry-too-fast"].report

upgrade(interval, timeout) := {"timeout": timeout, "upgrade": {"strategy": {"name": "RetryOnFailure", "retryInterval": interval}}}

path := ["spec", "upgrade", "strategy", "retryInterval"]

test_reported[name] if {
	some name, spec in {
		"under the minimum": upgrade("30s", "1m"),
		"just under the minimum": upgrade("59.9s", "1m"),
		"a worker is busy": upgrade("2m", "10m"),
		"just too busy": upgrade("2.49m", "10m"),
		"both at once": upgrade("10s", "10m"),
		"the default against a long timeout": {"timeout": "30m", "upgrade": {"strategy": fixture.retry}},
		"a timeout of its own": {"timeout": "1m", "upgrade": {"timeout": "15m", "strategy": {"name": "RetryOnFailure", "retryInterval": "3m"}}},
	}
	{f.path | some f in report} == {path} with input as fixture.release(spec)
}

test_both_halves if {
	half := {"strategy": {"name": "RetryOnFailure", "retryInterval": "5s"}}
	{f.path[1] | some f in report} == {"install", "upgrade"} with input as fixture.release({"install": half, "upgrade": half})
}

test_fix_is_the_shortest_that_fits[name] if {
	some name, tc in {
		"under the minimum": {"spec": upgrade("30s", "1m"), "value": "1m"},
		"a minute less would be too busy": {"spec": upgrade("2m", "10m"), "value": "3m"},
		"on the boundary": {"spec": upgrade("10s", "20m"), "value": "5m"},
		"just over it": {"spec": upgrade("10s", "20m1s"), "value": "10m"},
		"the default against a long timeout": {"spec": {"timeout": "1h", "upgrade": {"strategy": fixture.retry}}, "value": "15m"},
	}
	some finding in report with input as fixture.release(tc.spec)
	finding.fix == {"safe": true, "set": [{"path": path, "value": tc.value}]}
}

test_fix_names_the_strategy_of_the_gate if {
	some finding in report with input as fixture.gated({"upgrade": {"timeout": "1h"}})
	finding.fix.set == [{"path": ["spec", "upgrade", "strategy", "name"], "value": "RetryOnFailure"}, {"path": path, "value": "15m"}]
}

test_no_fix[name] if {
	some name, tc in {
		"no usual interval is long enough": {"spec": upgrade("1h", "96h"), "params": {"min": 60, "maxBusy": 80}},
		"every interval is too busy": {"spec": upgrade("1h", "10m"), "params": {"min": 60, "maxBusy": 0}},
	}
	some finding in report with input as fixture.release(tc.spec) with input.params as {"retry-too-fast": tc.params}
	not finding.fix
}

test_says_how_busy[name] if {
	some name, tc in {
		"share": {"spec": upgrade("1m", "9m"), "text": "takes up to 90% of a worker's time"},
		"rest": {"spec": upgrade("30s", "5m"), "text": "waits up to 5m, rests for 30s"},
		"revisions": {"spec": upgrade("30s", "5m"), "text": "up to 2880 revisions a day"},
	}
	some finding in report with input as fixture.release(tc.spec)
	contains(finding.message, tc.text)
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {},
		"the default": {"upgrade": {"strategy": fixture.retry}},
		"exactly the minimum": upgrade("1m", "1m"),
		"exactly busy enough": upgrade("2m30s", "10m"),
		"never, which has a rule of its own": upgrade("0s", "10m"),
		"remediation": {"timeout": "1h", "upgrade": fixture.bounded},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_the_gate_s_default if {
	count(report) == 2 with input as fixture.gated({"timeout": "30m"})
	count(report) == 0 with input as fixture.gated({"timeout": "20m"})
}

test_parameters[name] if {
	some name, params in {"min": {"min": 300, "maxBusy": 100}, "maxBusy": {"min": 1, "maxBusy": 70}}
	count(report) == 1 with input as fixture.release(upgrade("4m", "10m")) with input.params as {"retry-too-fast": params}
}

# Up to two hours both laws fit, and no longer.
test_the_longest_timeout_that_is_repaired if {
	some finding in report with input as fixture.release(upgrade("5m", "2h"))
	finding.fix.set == [{"path": path, "value": "30m"}]
	endswith(finding.message, "a day")
}

test_no_fix_brings_retry_too_slow if {
	some finding in report with input as fixture.release(upgrade("5m", "2h1m"))
	not finding.fix
	startswith(finding.help, "no repair fits: what is long enough for this timeout is longer than retry-too-slow allows: set a shorter timeout")
}
