package remedy.rules.timing["short-budget_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["short-budget"].report

at(name) := ["spec", name, "remediation", "retries"]

retries(n) := {"strategy": fixture.remediate, "remediation": {"retries": n}}

test_reported[name] if {
	some name, tc in {
		"both": {"spec": {"install": retries(1), "upgrade": retries(2)}, "paths": {at("install"), at("upgrade")}},
		"install": {"spec": {"install": retries(2), "upgrade": retries(3)}, "paths": {at("install")}},
		"upgrade": {"spec": {"install": retries(3), "upgrade": retries(1)}, "paths": {at("upgrade")}},
	}
	{f.path | some f in report} == tc.paths with input as fixture.release(tc.spec)
}

test_says_how_soon if {
	some finding in report with input as fixture.release({"install": retries(3), "upgrade": retries(2)})
	contains(finding.message, "3 attempts of an upgrade that fails at once are over after 26s")
}

test_fewer_retries_are_worse if {
	few := {f.degree | some f in report} with input as fixture.release({"install": retries(3), "upgrade": retries(1)})
	more := {f.degree | some f in report} with input as fixture.release({"install": retries(3), "upgrade": retries(2)})
	max(few) > max(more)
}

test_accepted[name] if {
	some name, spec in {
		"3 retries": {"install": retries(3), "upgrade": retries(3)},
		"retry": {"install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}},
		"no recovery, which has rules of its own": {"install": retries(1)},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_the_boundary_is_a_parameter if {
	spec := {"install": retries(3), "upgrade": retries(3)}
	count(report) == 2 with input as fixture.release(spec) with input.params["short-budget"].min as 60
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"install": retries("1"), "upgrade": retries(1)})
