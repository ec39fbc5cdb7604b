package remedy.rules.api["unknown-field_test"]

import data.remedy.lib.fixture
import data.remedy.rules.api["unknown-field"].report

test_reported[name] if {
	some name, tc in {
		"install": {"spec": {"install": {"x": 1}}, "path": ["spec", "install", "x"]},
		"upgrade": {"spec": {"upgrade": {"remediation": {"x": 1}}}, "path": ["spec", "upgrade", "remediation", "x"]},
		"rollback": {"spec": {"rollback": {"x": 1}}, "path": ["spec", "rollback", "x"]},
		"uninstall": {"spec": {"uninstall": {"x": 1}}, "path": ["spec", "uninstall", "x"]},
		"test": {"spec": {"test": {"x": 1}}, "path": ["spec", "test", "x"]},
		"in a list": {"spec": {"test": {"filters": [{"name": "a"}, {"name": "b", "x": 1}]}}, "path": ["spec", "test", "filters", 1, "x"]},
		"with all below it": {"spec": {"upgrade": {"x": {"y": {"z": 1}}}}, "path": ["spec", "upgrade", "x"]},
		"a dot in the name": {"spec": {"upgrade": {"remediation.retries": 3}}, "path": ["spec", "upgrade", "remediation.retries"]},
		"of the spec": {"spec": {"x": 1}, "path": ["spec", "x"]},
		"elsewhere": {"spec": {"driftDetection": {"x": 1}}, "path": ["spec", "driftDetection", "x"]},
		"an empty name": {"spec": {"upgrade": {"": 3}}, "path": ["spec", "upgrade", ""]},
		"a star": {"spec": {"uninstall": {"*": 3}}, "path": ["spec", "uninstall", "*"]},
		"another case": {"spec": {"upgrade": {"Timeout": "5m"}}, "path": ["spec", "upgrade", "Timeout"]},
	}
	{f.path | some f in report} == {tc.path} with input as fixture.release(tc.spec)
}

test_older_versions_in_failure_settings_only if {
	{f.path | some f in report} == {["spec", "upgrade", "x"]} with input as fixture.beta("v2beta2", {"x": 1, "upgrade": {"x": 1}}, {"version": "1.4.2"})
}

test_did_you_mean[name] if {
	some name, tc in {
		"maxRetries": {"spec": {"upgrade": {"remediation": {"maxRetries": 3}}}, "meant": "spec.upgrade.remediation.retries"},
		"retries of a strategy": {"spec": {"install": {"strategy": {"name": "RetryOnFailure", "retries": 3}}}, "meant": "spec.install.remediation.retries"},
		"retries of a half": {"spec": {"upgrade": {"retries": 3}}, "meant": "spec.upgrade.remediation.retries"},
		"interval of a remediation": {"spec": {"upgrade": {"remediation": {"retryInterval": "5m"}}}, "meant": "spec.upgrade.strategy.retryInterval"},
		"strategy of an install's remediation": {"spec": {"install": {"remediation": {"strategy": "uninstall"}}}, "meant": "spec.install.strategy"},
		"uninstall in an upgrade": {"spec": {"upgrade": {"uninstall": {"keepHistory": true}}}, "meant": "spec.uninstall"},
		"a field of the other half": {"spec": {"install": {"cleanupOnFail": true}}, "meant": "spec.upgrade.cleanupOnFail"},
		"a letter": {"spec": {"upgrade": {"remediation": {"remediateLastFailures": true}}}, "meant": "spec.upgrade.remediation.remediateLastFailure"},
		"a letter too few": {"spec": {"timout": "5m"}, "meant": "spec.timeout"},
		"of a section": {"spec": {"instal": {"remediation": {"retries": 3}}}, "meant": "spec.install"},
		"outside of its half": {"spec": {"remediation": {"retries": 3}}, "meant": "spec.upgrade.remediation"},
		"case": {"spec": {"rollback": {"disablewait": true}}, "meant": "spec.rollback.disableWait"},
		"of the same half first": {"spec": {"upgrade": {"timeOut": "5m"}}, "meant": "spec.upgrade.timeout"},
	}
	some finding in report with input as fixture.release(tc.spec)
	endswith(finding.message, sprintf("; did you mean %s?", [tc.meant]))
}

test_did_you_mean_in_lists if {
	some finding in report with input as fixture.release({"valuesFrom": [{"kind": "Secret", "name": "a"}, {"kind": "Secret", "Nname": "b"}]})
	endswith(finding.message, "; did you mean spec.valuesFrom[1].name?")
}

test_no_guess[name] if {
	some name, spec in {
		"nothing like it": {"upgrade": {"foo": 1}},
		"one letter": {"upgrade": {"x": 1}},
		"of that name elsewhere": {"chart": {"retries": 1}},
		"elsewhere, of something else": {"valuesFrom": [{"strategy": 1}]},
		"very long": {"upgrade": {concat("", [c | some i in numbers.range(1, 100); c := "retries"]): 1}},
	}
	some finding in report with input as fixture.release(spec)
	not contains(finding.message, "did you mean")
}

test_names_the_field if {
	some finding in report with input as fixture.release({"test": {"filters": [{"name": "a", "only": true}]}})
	contains(finding.message, "the API has no spec.test.filters[0].only")
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {},
		"bounded": {"install": fixture.bounded, "upgrade": fixture.bounded},
		"filters": {"test": {"enable": true, "filters": [{"name": "a", "exclude": true}]}},
		"free names": {"values": {"x": 1}, "commonMetadata": {"labels": {"a.b/c": "d"}}},
		"null": {"upgrade": {"x": null}},
		"a wrong type, which has a rule of its own": {"upgrade": {"timeout": {"x": 1}, "remediation": [{"x": 1}]}},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_not_below_what_the_controller_drops if {
	spec := {"upgrade": {"strategy": {"retries": 1}}}
	count(report) == 0 with input as fixture.under(spec, {"version": "1.3.0"})
	count(report) == 1 with input as fixture.under(spec, {"version": "1.4.0"})
}

# What is not known here may be right where nothing says what the API server has.
test_doubt[name] if {
	some name, made in {
		"of an unknown version": fixture.unknown({"upgrade": {"timeOut": "5m"}}),
		"of a newer version": fixture.under({"upgrade": {"timeOut": "5m"}}, {"version": "1.99.0"}),
	}
	some finding in report with input as made
	finding.raise == -1
	finding.message == "spec.upgrade.timeOut is misspelt, or newer than the API that is known here; did you mean spec.upgrade.timeout?"
}

test_no_doubt if {
	every made in [fixture.release({"x": 1}), fixture.defined({"x": 1}, {"v2": fixture.with_fields({})})] {
		some finding in report with input as made
		not finding.raise
	}
}

test_definition_decides if {
	schema := fixture.with_fields({
		"later": {"type": "object", "properties": {"name": {"type": "string"}}},
		"free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
		"map": {"type": "object", "additionalProperties": {"type": "object"}},
	})
	spec := {"later": {"name": "a", "nam": "b"}, "free": {"x": 1}, "map": {"x": {"y": 1}}, "other": 1}
	messages := {f.message | some f in report} with input as fixture.defined(spec, {"v2": schema})
	messages == {
		"the HelmRelease definition in crds.yaml has no spec.later.nam: a plain apply drops it and a server-side apply is refused, so it is never in force; did you mean spec.later.name?",
		"the HelmRelease definition in crds.yaml has no spec.other: a plain apply drops it and a server-side apply is refused, so it is never in force",
	}
}
