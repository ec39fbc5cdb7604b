package remedy.rules.recovery["switch-while-failing_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["switch-while-failing"].report

retry := {"install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}}

bounded := {"install": fixture.bounded, "upgrade": fixture.bounded}

status(ready, releases) := {
	"conditions": [{"type": "Ready", "status": ready}, {"type": "Released", "status": "False"}],
	"history": [{"status": s} | some s in releases],
}

test_reported[name] if {
	some name, was in {
		"from retry": {"spec": retry, "releases": ["failed"]},
		"after five attempts": {"spec": retry, "releases": ["failed", "failed", "failed", "failed", "failed"]},
		"from nothing": {"spec": {}, "releases": ["failed"]},
		"from leaving it": {"spec": {"install": fixture.bounded}, "releases": ["failed"]},
	}
	count(report) == 1 with input as fixture.update(was.spec, status("False", was.releases), bounded)
}

test_accepted[name] if {
	some name, update in {
		"it is ready": fixture.update(retry, status("True", ["deployed"]), bounded),
		"a good release is left": fixture.update(retry, status("False", ["failed", "deployed"]), bounded),
		"an older good one is left": fixture.update(retry, status("False", ["failed", "failed", "superseded"]), bounded),
		"it rolled back before": fixture.update(bounded, status("False", ["failed"]), bounded),
		"it stays with retry": fixture.update(retry, status("False", ["failed"]), retry),
		"nothing is installed": fixture.update(retry, status("False", []), bounded),
		"no rollback": fixture.update(retry, status("False", ["failed"]), {"install": fixture.bounded}),
		"the install retries": fixture.update(retry, status("False", ["failed"]), {
			"install": {"strategy": fixture.retry},
			"upgrade": fixture.bounded,
		}),
	}
	count(report) == 0 with input as update
}

test_absent_on_creation if count(report) == 0 with input as fixture.release(bounded)
