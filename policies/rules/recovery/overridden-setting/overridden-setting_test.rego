package remedy.rules.recovery["overridden-setting_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["overridden-setting"].report

path := ["spec", "upgrade", "remediation", "retries"]

overridden(written, effective) := object.union(
	bounded,
	{"overrides": [{"path": path, "written": written, "effective": effective}]},
)

bounded := fixture.release({"install": fixture.bounded, "upgrade": fixture.bounded})

test_reported[name] if {
	some name, tc in {
		"number": {"written": 0, "effective": 2, "text": "writes 0 here, but 2 is in force"},
		"zero in force": {"written": 5, "effective": 0, "text": "writes 5 here, but 0 is in force"},
		"word": {"written": "rollback", "effective": "uninstall", "text": "writes rollback here, but uninstall is in force"},
		"false in force": {"written": true, "effective": false, "text": "writes true here, but false is in force"},
		"taken away": {"written": 3, "effective": null, "text": "takes it away"},
	}
	some finding in report with input as overridden(tc.written, tc.effective)
	finding.path == path
	finding.written
	contains(finding.message, tc.text)
}

test_one_each if {
	made := object.union(overridden(0, 2), {"overrides": [
		{"path": path, "written": 0, "effective": 2},
		{"path": ["spec", "timeout"], "written": "5m", "effective": "10m"},
	]})
	count(report) == 2 with input as made
}

test_accepted[name] if {
	some name, spec in {
		"nothing overridden": {"install": fixture.bounded, "upgrade": fixture.bounded},
		"nothing written": {},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_absent_when_nothing_is_known_of_the_writing if count(report) == 0 with input as fixture.update({}, {}, {})
