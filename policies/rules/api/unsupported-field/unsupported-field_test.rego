package remedy.rules.api["unsupported-field_test"]

import data.remedy.lib.fixture
import data.remedy.rules.api["unsupported-field"].report

at(name) := ["spec", name, "strategy"]

pair := {"install": {"strategy": fixture.retry}, "upgrade": {"strategy": fixture.retry}}

test_strategy_before_its_time[name] if {
	some name, tc in {
		"both": {"spec": pair, "paths": {at("install"), at("upgrade")}},
		"upgrade": {"spec": {"upgrade": {"strategy": fixture.retry}}, "paths": {at("upgrade")}},
		"the other strategy": {"spec": {"install": fixture.bounded}, "paths": {at("install")}},
		"of a wrong type": {"spec": {"install": {"strategy": "RetryOnFailure"}}, "paths": {at("install")}},
	}
	{f.path | some f in report} == tc.paths with input as fixture.under(tc.spec, {"version": "1.3.0"})
}

test_says_what_happens_instead[name] if {
	some name, tc in {
		"final": {"spec": {"upgrade": {"strategy": fixture.retry}}, "text": "a failed upgrade is final, whatever the strategy says"},
		"rollback": {"spec": {"upgrade": {"strategy": fixture.retry, "remediation": {"retries": 3}}}, "text": "a failed upgrade is followed by a rollback"},
		"uninstall": {"spec": {"install": {"strategy": fixture.retry, "remediation": {"retries": 3}}}, "text": "a failed install is followed by an uninstall"},
		"versions": {"spec": {"install": {"strategy": fixture.retry}}, "text": "helm-controller 1.3.0 does not have spec.install.strategy, which came with 1.4.0"},
	}
	some finding in report with input as fixture.under(tc.spec, {"version": "1.3.0"})
	contains(finding.message, tc.text)
}

test_version_boundary[name] if {
	some name, number in {"1.3.99": 2, "1.4": 0, "1.4.0": 0, "1.4.5": 0, "1.6.3": 0}
	count(report) == number with input as fixture.under(pair, {"version": name})
}

test_strategy_under_beta[name] if {
	some name, tc in {
		"v2beta2": {"version": "v2beta2", "controller": {"version": "1.4.5"}, "text": "v2beta2 does not have spec.upgrade.strategy"},
		"v2beta1, older controller": {"version": "v2beta1", "controller": {"version": "1.3.0"}, "text": "helm-controller 1.3.0 does not have"},
	}
	some finding in report with input as fixture.beta(tc.version, {"upgrade": {"strategy": fixture.retry}}, tc.controller)
	finding.path == at("upgrade")
	contains(finding.message, tc.text)
}

test_other_fields[name] if {
	some name, tc in {
		"take ownership": {"spec": {"install": {"disableTakeOwnership": true}}, "before": "1.1.0", "since": "1.2.0", "path": ["spec", "install", "disableTakeOwnership"]},
		"schema validation": {"spec": {"upgrade": {"disableSchemaValidation": true}}, "before": "1.0.1", "since": "1.1.0", "path": ["spec", "upgrade", "disableSchemaValidation"]},
		"common metadata": {"spec": {"commonMetadata": {"labels": {"a": "b"}}}, "before": "1.3.0", "since": "1.4.0", "path": ["spec", "commonMetadata"]},
		"ready expression": {"spec": {"dependsOn": [{"name": "a"}, {"name": "b", "readyExpr": "true"}]}, "before": "1.3.0", "since": "1.4.0", "path": ["spec", "dependsOn", 1, "readyExpr"]},
		"wait strategy": {"spec": {"waitStrategy": {"name": "poller"}}, "before": "1.4.5", "since": "1.5.0", "path": ["spec", "waitStrategy"]},
		"server side": {"spec": {"rollback": {"serverSideApply": "auto"}}, "before": "1.4.5", "since": "1.5.0", "path": ["spec", "rollback", "serverSideApply"]},
		"chart name": {"spec": {"upgrade": {"chartNameChangeStrategy": "InPlaceUpdate"}}, "before": "1.5.2", "since": "1.6.0", "path": ["spec", "upgrade", "chartNameChangeStrategy"]},
	}
	{f.path | some f in report} == {tc.path} with input as fixture.under(tc.spec, {"version": tc.before})
	{true | some f in report; contains(f.message, "is dropped, and a server-side apply is refused")} == {true} with input as fixture.under(tc.spec, {"version": tc.before})
	count(report) == 0 with input as fixture.under(tc.spec, {"version": tc.since})
}

test_accepted[name] if {
	some name, tc in {
		"nothing": {"spec": {}, "controller": {"version": "1.0.0"}},
		"null": {"spec": {"upgrade": {"strategy": null}}, "controller": {"version": "1.0.0"}},
		"old fields": {"spec": {"timeout": "5m", "upgrade": {"remediation": {"retries": 3, "strategy": "rollback"}}}, "controller": {"version": "1.0.0"}},
		"new fields today": {"spec": object.union(pair, {"waitStrategy": {"name": "legacy"}}), "controller": {}},
	}
	count(report) == 0 with input as fixture.under(tc.spec, tc.controller)
}

test_unknown_controller if {
	count(report) == 0 with input as fixture.unknown(object.union(pair, {"waitStrategy": {"name": "legacy"}}))
}

test_a_kind_of_chart_is_one_fault[name] if {
	some name, tc in {
		"by its kind": {"chart": {"kind": "OCIRepository", "spec": {"url": "oci://ghcr.io/app", "ref": {"tag": "1"}}}, "path": ["spec", "chart", "kind"]},
		"without its kind": {"chart": {"spec": {"url": "oci://ghcr.io/app"}}, "path": ["spec", "chart", "spec", "url"]},
	}
	{f.path | some f in report} == {tc.path} with input as fixture.under({"chart": tc.chart}, {"version": "1.6.4"})
	count(report) == 0 with input as fixture.under({"chart": tc.chart}, {"version": "1.7.0"})
	count(report) == 0 with input as fixture.unknown({"chart": tc.chart})
}

# The definition in the tree decides, whatever the controller's version.
test_definition_decides if {
	messages := {f.message | some f in report} with input as fixture.defined({"install": {"strategy": fixture.retry}, "timeout": "5m", "x": 1}, {"v2": fixture.with_fields({"install": {"type": "object"}})})
	messages == {
		"the HelmRelease definition in crds.yaml does not have spec.install.strategy, which came with 1.4.0, so it never reaches the controller: a failed install is final, whatever the strategy says",
		"the HelmRelease definition in crds.yaml does not have spec.timeout, so it never reaches the controller: it is dropped, and a server-side apply is refused",
	}
}
