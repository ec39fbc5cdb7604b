package remedy.rules.api["growing-history_test"]

import data.remedy.lib.fixture
import data.remedy.rules.api["growing-history"].report

at(name) := ["spec", name, "strategy"]

pair := {"install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}}

test_version_boundary[name] if {
	some name, number in {"1.3.99": 0, "1.4": 1, "1.4.0": 1, "1.4.4": 1, "1.4.5": 0, "1.6.3": 0}
	count(report) == number with input as fixture.under(pair, {"version": name})
}

test_reported_once[name] if {
	some name, tc in {
		"both": {"spec": pair, "path": at("upgrade")},
		"install": {"spec": {"install": {"strategy": fixture.retry}}, "path": at("install")},
	}
	{f.path | some f in report} == {tc.path} with input as fixture.under(tc.spec, {"version": "1.4.2"})
	every f in report {
		contains(f.message, "adds an entry to .status.history with each retry")
	} with input as fixture.under(tc.spec, {"version": "1.4.2"})
}

test_accepted[name] if {
	some name, input_ in {
		"remediated": fixture.under({"upgrade": fixture.bounded}, {"version": "1.4.0"}),
		"a version without strategies": fixture.beta("v2beta2", pair, {"version": "1.4.2"}),
		"nothing written": fixture.under({}, {"version": "1.4.2"}),
	}
	count(report) == 0 with input as input_
}

test_unknown_controller if {
	count(report) == 0 with input as fixture.unknown(pair)
}
