package remedy.rules.api["removed-api_test"]

import data.remedy.lib.fixture
import data.remedy.rules.api["invalid-value"].report as invalid
import data.remedy.rules.api["removed-api"].report
import data.remedy.rules.api["unknown-field"].report as unknown
import data.remedy.rules.api["unsupported-field"].report as unsupported

test_reported[name] if {
	some name, tc in {
		"v2beta1 on its first day": {"version": "v2beta1", "controller": {"version": "1.4.0"}},
		"v2beta1 today": {"version": "v2beta1", "controller": {}},
		"v2beta2 on its first day": {"version": "v2beta2", "controller": {"version": "1.5.0"}},
		"v2beta2 today": {"version": "v2beta2", "controller": {}},
		"v2 before its first day": {"version": "v2", "controller": {"version": "0.37.4"}},
		"a short version": {"version": "v2beta2", "controller": {"version": "1.5"}},
	}
	{f.path | some f in report} == {["apiVersion"]} with input as fixture.beta(tc.version, {}, tc.controller)
}

test_accepted[name] if {
	some name, tc in {
		"v2": {"version": "v2", "controller": {}},
		"v2beta1 on its last day": {"version": "v2beta1", "controller": {"version": "1.3.9"}},
		"v2beta2 on its last day": {"version": "v2beta2", "controller": {"version": "1.4.9"}},
		"before the release": {"version": "v2beta2", "controller": {"version": "1.5.0-rc.1"}},
	}
	count(report) == 0 with input as fixture.beta(tc.version, {}, tc.controller)
}

test_names_what_is_not_served_yet if {
	some finding in report with input as fixture.beta("v2", {}, {"version": "0.37.4"})
	contains(finding.message, "helm-controller 0.37.4 does not yet serve v2:")
	not finding.fix
}

test_accepted_by_an_unknown_controller[name] if {
	some name in ["v2beta1", "v2beta2"]
	count(report) == 0 with input as object.union(fixture.beta(name, {}, {}), {"controller": fixture.unknown({}).controller})
}

test_names_both if {
	some finding in report with input as fixture.beta("v2beta2", {}, {"version": "1.5.2"})
	contains(finding.message, "helm-controller 1.5.2 no longer serves v2beta2")
	contains(finding.message, "no matches for kind HelmRelease")
}

test_silences_the_other_rules[name] if {
	some name, spec in {
		"strategy": {"upgrade": {"strategy": fixture.retry}},
		"unknown field": {"upgrade": {"maxRetries": 3}},
		"wrong type": {"timeout": 5},
		"no spec": null,
	}
	found := report | ((unsupported | unknown) | invalid) with input as fixture.beta("v2beta2", {}, {})
		with input.object.spec as spec
	{f.path | some f in found} == {["apiVersion"]}
}

test_fix_is_the_version if {
	some finding in report with input as fixture.beta("v2beta1", {}, {})
	finding.fix == {"safe": true, "set": [{"path": ["apiVersion"], "value": "helm.toolkit.fluxcd.io/v2"}]}
}

test_not_fixed_with_fields_that_went[name] if {
	some name, spec in {
		"values file": {"chart": {"spec": {"valuesFile": "prod.yaml"}}},
		"strategic merge": {"postRenderers": [{"kustomize": {"patchesStrategicMerge": []}}]},
		"json patch": {"postRenderers": [{"kustomize": {"patchesJson6902": []}}]},
	}
	some finding in report with input as fixture.beta("v2beta1", spec, {})
	not finding.fix
}

# The definition in the tree decides.
test_definition_decides[name] if {
	some name, tc in {
		"served": {"versions": {"v2", "v3"}, "fixable": []},
		"not served": {"versions": {"v3"}, "fixable": [false]},
	}
	schemas := {version: fixture.with_fields({}) | some version in tc.versions}
	[is_object(object.get(f, "fix", null)) | some f in report] == tc.fixable with input as fixture.defined({}, schemas)
}

test_definition_is_named if {
	beta := remedy.input(object.union(fixture.object_of({}), {"apiVersion": "helm.toolkit.fluxcd.io/v2beta2"}), {}, {"definition": fixture.definition({"v2": fixture.with_fields({})})})
	some finding in report with input as beta
	startswith(finding.message, "the HelmRelease definition in crds.yaml does not serve v2beta2: applying")
	finding.fix
}
