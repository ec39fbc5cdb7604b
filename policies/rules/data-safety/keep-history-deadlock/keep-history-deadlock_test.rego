package remedy.rules["data-safety"]["keep-history-deadlock_test"]

import data.remedy.lib.fixture
import data.remedy.rules["data-safety"]["keep-history-deadlock"].path
import data.remedy.rules["data-safety"]["keep-history-deadlock"].report

kept(spec) := object.union({"uninstall": {"keepHistory": true}}, spec)

test_reported[name] if {
	some name, spec in {
		"install with retries": {"install": {"remediation": {"retries": 1}}},
		"install without end": {"install": {"remediation": {"retries": -1}}},
		"install after the last failure": {"install": {"remediation": {"remediateLastFailure": true}}},
		"upgrade that uninstalls": {"upgrade": {"remediation": {"retries": 1, "strategy": "uninstall"}}},
		"replace is off": {"install": {"replace": false, "remediation": {"retries": 1}}},
	}
	{f.path | some f in report} == {path} with input as fixture.release(kept(spec))
}

test_names_what_fails[name] if {
	some name, tc in {
		"install": {"spec": {"install": fixture.bounded, "upgrade": fixture.bounded}, "text": "a failed install is uninstalled"},
		"upgrade": {"spec": {"upgrade": {"remediation": {"retries": 1, "strategy": "uninstall"}}}, "text": "a failed upgrade is uninstalled"},
		"both": {
			"spec": {"install": fixture.bounded, "upgrade": {"remediation": {"retries": 1, "strategy": "uninstall"}}},
			"text": "a failed install or upgrade is uninstalled",
		},
	}
	some finding in report with input as fixture.release(kept(tc.spec))
	contains(finding.message, tc.text)
}

test_accepted[name] if {
	some name, spec in {
		"the record is replaced": {"install": {"replace": true, "remediation": {"retries": 1}}},
		"nothing is remediated": {},
		"both retry": {"install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}},
		"upgrades roll back": {"upgrade": fixture.bounded},
		"the uninstall of an upgrade is never used": {"upgrade": {"remediation": {"strategy": "uninstall"}}},
	}
	count(report) == 0 with input as fixture.release(kept(spec))
}

test_accepted_without_history if {
	count(report) == 0 with input as fixture.release({"install": fixture.bounded, "uninstall": {"keepHistory": false}})
}

test_accepted_by_the_gate if {
	count(report) == 0 with input as fixture.gated(kept({"install": {"remediation": {"retries": 1}}}))
}

test_fix_drops_the_history if {
	some finding in report with input as fixture.release(kept({"install": fixture.bounded}))
	finding.fix == {"safe": false, "set": [{"path": path, "value": null}]}
}
