package remedy.rules.timing["never-reconciled_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["never-reconciled"].report

test_reported[name] if {
	some name, interval in {"seconds": "0s", "minutes": "0m", "several units": "0h0m", "a fraction": "0.0h", "less than nothing": "-1s"}
	{f.path | some f in report} == {["spec", "interval"]} with input as fixture.release({"interval": interval})
}

test_says_what_becomes_of_drift[name] if {
	some name, tc in {
		"corrected": {"spec": {"driftDetection": {"mode": "enabled"}}, "text": "drift is not corrected"},
		"noticed": {"spec": {"driftDetection": {"mode": "warn"}}, "text": "drift is not noticed"},
		"off": {"spec": {}, "text": "drift is left as it is"},
	}
	some finding in report with input as fixture.release(object.union({"interval": "0s"}, tc.spec))
	contains(finding.message, tc.text)
}

test_accepted[name] if {
	some name, interval in {"short": "1ms", "a minute": "1m", "a day": "24h"}
	count(report) == 0 with input as fixture.release({"interval": interval})
}

test_not_written_is_another_rule_s if {
	count(report) == 0 with input as fixture.raw(json.remove(fixture.object_of({}), ["/spec/interval"]))
}

test_absent_when_refused[name] if {
	some name, interval in {"number": 0, "word": "never", "null": null}
	count(report) == 0 with input as fixture.release({"interval": interval})
}
