package remedy.rules.recovery["too-many-retries_test"]

import data.remedy.lib.fixture
import data.remedy.rules.recovery["too-many-retries"].report

retries(name) := ["spec", name, "remediation", "retries"]

test_reported[name] if {
	some name, tc in {
		"one beyond": {"install": 3, "upgrade": 11, "paths": {retries("upgrade")}},
		"install": {"install": 11, "upgrade": 3, "paths": {retries("install")}},
		"both": {"install": 100, "upgrade": 100, "paths": {retries("install"), retries("upgrade")}},
	}
	spec := {"install": {"remediation": {"retries": tc.install}}, "upgrade": {"remediation": {"retries": tc.upgrade}}}
	{f.path | some f in report} == tc.paths with input as fixture.release(spec)
}

test_counts_attempts if {
	some finding in report with input as fixture.release({"upgrade": {"remediation": {"retries": 11}}})
	contains(finding.message, "tried 12 times with a rollback")
	contains(finding.message, "more than spec.law.maxRetries (10, the default)")
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {},
		"the bound itself": {"install": {"remediation": {"retries": 10}}, "upgrade": {"remediation": {"retries": 10}}},
		"without end, which has a rule of its own": {"upgrade": {"remediation": {"retries": -1}}},
		"beside RetryOnFailure": {"upgrade": {"strategy": fixture.retry, "remediation": {"retries": 11}}},
		"an uninstall": {"upgrade": {"remediation": {"retries": 11, "strategy": "uninstall"}}},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_bound_is_set_by_the_law[name] if {
	made := fixture.release({"upgrade": {"remediation": {"retries": 5}}})
	some name, tc in {"at it": {"max": 5, "found": 0}, "beyond": {"max": 4, "found": 1}}
	count(report) == tc.found with input as object.union(made, {"law": {"maxRetries": tc.max}})
}

test_fix_sets_the_bound if {
	some finding in report with input as fixture.release({"upgrade": {"remediation": {"retries": 11}}})
	finding.fix == {"safe": true, "set": [{"path": ["spec", "upgrade", "remediation", "retries"], "value": 10}]}
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"upgrade": {"remediation": {"retries": true}}})
