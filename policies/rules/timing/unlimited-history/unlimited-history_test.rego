package remedy.rules.timing["unlimited-history_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["unlimited-history"].path
import data.remedy.rules.timing["unlimited-history"].report

test_reported[name] if {
	some name, history in {"zero": 0, "minus one": -1, "far below": -100}
	{f.path | some f in report} == {path} with input as fixture.release({"maxHistory": history})
}

test_says_how_fast[name] if {
	some name, tc in {
		"default": {"upgrade": {"strategy": fixture.retry}, "text": "up to 288 a day while upgrades fail"},
		"slow": {"upgrade": {"strategy": {"name": "RetryOnFailure", "retryInterval": "1h"}}, "text": "up to 24 a day"},
	}
	some finding in report with input as fixture.release({"maxHistory": 0, "upgrade": tc.upgrade})
	contains(finding.message, tc.text)
}

test_no_speed_without_retry[name] if {
	some name, upgrade in {
		"remediation": fixture.bounded,
		"nothing": {},
		"never": {"strategy": {"name": "RetryOnFailure", "retryInterval": "0s"}},
	}
	some finding in report with input as fixture.release({"maxHistory": 0, "upgrade": upgrade})
	not contains(finding.message, "a day")
	contains(finding.message, "no revision is ever pruned")
}

test_accepted[name] if {
	some name, spec in {"nothing": {}, "one": {"maxHistory": 1}, "five": {"maxHistory": 5}, "many": {"maxHistory": 1000}, "null": {"maxHistory": null}}
	count(report) == 0 with input as fixture.release(spec)
}

test_fix_takes_the_default if {
	some finding in report with input as fixture.release({"maxHistory": 0})
	finding.fix == {"safe": false, "set": [{"path": path, "value": null}]}
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"maxHistory": "0"})
