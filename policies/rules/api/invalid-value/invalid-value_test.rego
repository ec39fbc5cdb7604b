package remedy.rules.api["invalid-value_test"]

import data.remedy.lib.fixture
import data.remedy.rules.api["invalid-value"].report

bare(spec) := fixture.raw({"apiVersion": fixture.api, "kind": "HelmRelease", "metadata": {"name": "app"}, "spec": spec})

test_wrong_values[name] if {
	some name, tc in {
		"number for a duration": {"spec": {"timeout": 300}, "path": ["spec", "timeout"], "text": "300 is no duration such as 90s"},
		"number as a duration": {"spec": {"timeout": "300"}, "path": ["spec", "timeout"], "text": "\"300\" is no duration"},
		"zero as a duration": {"spec": {"timeout": "0"}, "path": ["spec", "timeout"], "text": "\"0\" is no duration"},
		"days": {"spec": {"interval": "1d"}, "path": ["spec", "interval"], "text": "\"1d\" is no duration"},
		"negative duration": {"spec": {"timeout": "-5m"}, "path": ["spec", "timeout"], "text": "\"-5m\" is no duration"},
		"longer than time": {"spec": {"timeout": "9999999h"}, "path": ["spec", "timeout"], "text": "is no duration"},
		"string for a number": {"spec": {"maxHistory": "many"}, "path": ["spec", "maxHistory"], "text": "\"many\" is no whole number"},
		"fraction": {"spec": {"install": {"remediation": {"retries": 1.5}}}, "path": ["spec", "install", "remediation", "retries"], "text": "1.5 is no whole number"},
		"more than a number holds": {"spec": {"maxHistory": 1e30}, "path": ["spec", "maxHistory"], "text": "no whole number"},
		"word for a boolean": {"spec": {"suspend": "yes"}, "path": ["spec", "suspend"], "text": "\"yes\" is neither true nor false"},
		"boolean for an object": {"spec": {"upgrade": true}, "path": ["spec", "upgrade"], "text": "true is no object"},
		"string for an object": {"spec": {"upgrade": {"strategy": "rollback"}}, "path": ["spec", "upgrade", "strategy"], "text": "\"rollback\" is no object"},
		"list for an object": {"spec": {"install": [1]}, "path": ["spec", "install"], "text": "a list is no object"},
		"object for a list": {"spec": {"dependsOn": {"name": "a"}}, "path": ["spec", "dependsOn"], "text": "an object is no list"},
		"item of a list": {"spec": {"dependsOn": [{"name": "a"}, "b"]}, "path": ["spec", "dependsOn", 1], "text": "\"b\" is no object"},
		"null among strings": {"spec": {"driftDetection": {"ignore": [{"paths": ["/a", null]}]}}, "path": ["spec", "driftDetection", "ignore", 0, "paths", 1], "text": "null is no string"},
		"null in a list": {"spec": {"dependsOn": [null]}, "path": ["spec", "dependsOn", 0], "text": "null is no object"},
		"number for a string": {"spec": {"releaseName": 5}, "path": ["spec", "releaseName"], "text": "5 is no string"},
		"label": {"spec": {"commonMetadata": {"labels": {"a": "b", "c": 1}}}, "path": ["spec", "commonMetadata", "labels", "c"], "text": "1 is no string"},
		"enum": {"spec": {"driftDetection": {"mode": "on"}}, "path": ["spec", "driftDetection", "mode"], "text": "\"on\" is none of enabled, warn, disabled"},
		"enum in another case": {"spec": {"upgrade": {"remediation": {"strategy": "Rollback"}}}, "path": ["spec", "upgrade", "remediation", "strategy"], "text": "\"Rollback\" is none of rollback, uninstall"},
		"empty name": {"spec": {"releaseName": ""}, "path": ["spec", "releaseName"], "text": "the name is empty"},
		"long name": {"spec": {"releaseName": "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz-"}, "path": ["spec", "releaseName"], "text": "longer than 53 characters"},
		"pattern": {"spec": {"valuesFrom": [{"kind": "Secret", "name": "a", "valuesKey": "a b"}]}, "path": ["spec", "valuesFrom", 0, "valuesKey"], "text": "does not match"},
	}
	some finding in report with input as fixture.release(tc.spec)
	finding.path == tc.path
	startswith(finding.message, "the API server refuses this release: ")
	contains(finding.message, tc.text)
	count(report) == 1 with input as fixture.release(tc.spec)
}

test_rules_between_fields[name] if {
	some name, tc in {
		"interval beside remediation": {
			"spec": {"install": {"strategy": {"name": "RemediateOnFailure", "retryInterval": "5m"}}},
			"path": ["spec", "install", "strategy", "retryInterval"],
			"text": "retryInterval belongs to RetryOnFailure",
		},
		"strategy without name": {"spec": {"upgrade": {"strategy": {"retryInterval": "5m"}}}, "path": ["spec", "upgrade", "strategy", "name"], "text": "spec.upgrade.strategy has no name"},
		"name that is null": {"spec": {"upgrade": {"strategy": {"name": null}}}, "path": ["spec", "upgrade", "strategy", "name"], "text": "has no name"},
		"no interval": {"spec": {"interval": null}, "path": ["spec", "interval"], "text": "spec has no interval"},
		"item without name": {"spec": {"test": {"filters": [{"exclude": true}]}}, "path": ["spec", "test", "filters", 0, "name"], "text": "spec.test.filters[0] has no name"},
		"both charts": {"spec": {"chart": {"spec": {"chart": "a", "sourceRef": {"kind": "HelmRepository", "name": "b"}}}}, "path": ["spec", "chartRef"], "text": "one excludes the other"},
		"no chart": {"spec": {"chartRef": null}, "path": ["spec"], "text": "neither a chart nor a chartRef"},
		"empty kubeconfig": {"spec": {"kubeConfig": {}}, "path": ["spec", "kubeConfig"], "text": "one of configMapRef and secretRef"},
		"two kubeconfigs": {"spec": {"kubeConfig": {"secretRef": {"name": "a"}, "configMapRef": {"name": "b"}}}, "path": ["spec", "kubeConfig"], "text": "one of"},
	}
	some finding in report with input as fixture.release(tc.spec)
	finding.path == tc.path
	contains(finding.message, tc.text)
	count(report) == 1 with input as fixture.release(tc.spec)
}

test_each_at_its_own_path if {
	spec := {
		"interval": "soon",
		"timeout": [],
		"install": {"disableWait": 1, "remediation": "3", "strategy": {"name": 7}},
		"upgrade": [],
		"test": {"filters": [1, {"name": {}}]},
	}
	{f.path | some f in report} == {
		["spec", "interval"], ["spec", "timeout"],
		["spec", "install", "disableWait"], ["spec", "install", "remediation"], ["spec", "install", "strategy", "name"],
		["spec", "upgrade"],
		["spec", "test", "filters", 0], ["spec", "test", "filters", 1, "name"],
	} with input as fixture.release(spec)
}

test_spec_itself[name] if {
	some name, spec in {"null": null, "a string": "x", "a list": [], "a number": 5, "false": false}
	[f.path | some f in report] == [["spec"]] with input as bare(spec)
}

test_spec_is_missing if {
	some finding in report with input as fixture.raw({"apiVersion": fixture.api, "kind": "HelmRelease", "metadata": {"name": "app"}})
	startswith(finding.message, "this release has no spec")
}

test_spec_is_empty if {
	{f.path | some f in report} == {["spec"], ["spec", "interval"]} with input as bare({})
}

test_meant[name] if {
	some name, tc in {
		"minutes": {"spec": {"timeout": "5 min"}, "value": "5m"},
		"minutes in full": {"spec": {"timeout": "10minutes"}, "value": "10m"},
		"days": {"spec": {"timeout": "2d"}, "value": "48h"},
		"seconds": {"spec": {"timeout": "30 Sec"}, "value": "30s"},
		"a space": {"spec": {"timeout": "5 m"}, "value": "5m"},
		"quoted number": {"spec": {"maxHistory": "5"}, "value": 5},
		"quoted boolean": {"spec": {"suspend": "true"}, "value": true},
		"case": {"spec": {"install": {"crds": "createreplace"}}, "value": "CreateReplace"},
	}
	some finding in report with input as fixture.release(tc.spec)
	finding.fix == {"safe": true, "set": [{"path": finding.path, "value": tc.value}]}
}

test_not_guessed[name] if {
	some name, spec in {
		"which unit": {"timeout": 300},
		"several units": {"timeout": "1h 30 min"},
		"months": {"timeout": "1 month"},
		"no number": {"maxHistory": "five"},
		"a list": {"suspend": ["true"]},
		"quoted octal": {"maxHistory": "010"},
	}
	some finding in report with input as fixture.release(spec)
	not finding.fix
}

test_accepted[name] if {
	some name, spec in {
		"nothing": {},
		"durations": {"interval": "1h30m", "timeout": "1.5h", "install": {"timeout": "500ms"}},
		"zeros": {"timeout": "0s", "maxHistory": 0},
		"negative numbers": {"maxHistory": -1, "install": {"remediation": {"retries": -1}}},
		"whole number with a point": {"maxHistory": 5.0},
		"null": {"timeout": null, "install": null, "upgrade": {"strategy": null}},
		"retry": {"upgrade": {"strategy": {"name": "RetryOnFailure", "retryInterval": "1m"}}},
		"labels": {"commonMetadata": {"labels": {"a.b/c": "d", "e": null}}},
		"a default that the schema requires": {"chartRef": null, "chart": {"spec": {"chart": "a", "sourceRef": {"kind": "GitRepository", "name": "b"}, "verify": {}}}},
		"fields that are not known": {"x": {"y": 1}, "upgrade": {"x": 1}},
	}
	count(report) == 0 with input as fixture.release(spec)
}

test_what_the_controller_drops_is_not_checked if {
	spec := {"upgrade": {"strategy": "RetryOnFailure"}, "waitStrategy": {"name": 5}}
	count(report) == 0 with input as fixture.under(spec, {"version": "1.3.0"})
	count(report) == 2 with input as fixture.under(spec, {"version": "1.6.3"})
}

test_retry_interval_where_strategies_are_dropped if {
	spec := {"upgrade": {"strategy": {"name": "RemediateOnFailure", "retryInterval": "5m"}}}
	count(report) == 0 with input as fixture.beta("v2beta2", spec, {"version": "1.4.5"})
	count(report) == 1 with input as fixture.under(spec, {"version": "1.4.5"})
}

url := {"url": "oci://ghcr.io/stefanprodan/charts/podinfo"}

sourced := {"chart": "podinfo", "sourceRef": {"kind": "HelmRepository", "name": "podinfo"}}

# A release whose source is made from spec.chart, of a kind; null for none.
made(kind, template) := bare({"interval": "5m", "chart": object.union({"spec": template}, {k: v | some k, v in {"kind": kind}; v != null})})

newest(input_) := object.union(input_, {"controller": {"version": "1.7.0"}})

test_template_of_a_chart[name] if {
	some name, tc in {
		"neither": {"kind": null, "template": {}, "paths": {"chart", "sourceRef"}},
		"no source": {"kind": "HelmChart", "template": {"chart": "podinfo"}, "paths": {"sourceRef"}},
		"null for a chart": {"kind": null, "template": object.union(sourced, {"chart": null}), "paths": {"chart"}},
		"a URL without its kind": {"kind": null, "template": url, "paths": {"url"}},
		"a URL beside a chart": {"kind": "HelmChart", "template": object.union(sourced, url), "paths": {"url"}},
		"no URL": {"kind": "OCIRepository", "template": {"ref": {"tag": "1"}}, "paths": {"url"}},
		"an empty URL": {"kind": "OCIRepository", "template": {"url": ""}, "paths": {"url"}},
		"another scheme": {"kind": "OCIRepository", "template": {"url": "https://ghcr.io/podinfo"}, "paths": {"url"}},
		"a chart beside a URL": {"kind": "OCIRepository", "template": object.union(sourced, url), "paths": {"chart", "sourceRef"}},
		"a version": {"kind": "OCIRepository", "template": object.union(url, {"version": "1.x"}), "paths": {"version"}},
		"a strategy": {"kind": "OCIRepository", "template": object.union(url, {"reconcileStrategy": "Revision"}), "paths": {"reconcileStrategy"}},
		"values": {"kind": "OCIRepository", "template": object.union(url, {"valuesFiles": [], "ignoreMissingValuesFiles": false}), "paths": {"valuesFiles", "ignoreMissingValuesFiles"}},
		"hours for a pull": {"kind": "OCIRepository", "template": object.union(url, {"timeout": "1h"}), "paths": {"timeout"}},
		"a wrong type that Go does not know": {"kind": "OCIRepository", "template": object.union(url, {"insecure": "yes"}), "paths": {"insecure"}},
	}
	{f.path[3] | some f in report} == tc.paths with input as newest(made(tc.kind, tc.template))
}

test_template_accepted[name] if {
	some name, tc in {
		"chart": {"kind": null, "template": sourced},
		"chart by its kind": {"kind": "HelmChart", "template": sourced},
		"URL": {"kind": "OCIRepository", "template": object.union(url, {"ref": {"semver": "*"}, "layerSelector": {"mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip", "operation": "copy"}})},
		"defaults of older definitions": {"kind": "OCIRepository", "template": object.union(url, {"version": "*", "reconcileStrategy": "ChartVersion"})},
		"minutes for a pull": {"kind": "OCIRepository", "template": object.union(url, {"timeout": "2m", "interval": "1h"})},
	}
	count(report) == 0 with input as newest(made(tc.kind, tc.template))
}

test_template_before_its_time if {
	count(report) == 0 with input as object.union(made("OCIRepository", url), {"controller": {"version": "1.6.4", "versionKnown": true}}) # for unsupported-field
}

test_template_without_a_source_before_1_7 if {
	{f.path[3] | some f in report} == {"chart", "sourceRef"} with input as object.union(made(null, {"interval": "1m"}), {"controller": {"version": "1.6.4", "versionKnown": true}})
}

# A value may be right where nothing says what the API server has, and is not mended unasked.
test_doubt if {
	some finding in report with input as fixture.unknown({"upgrade": {"remediation": {"strategy": "Rollback"}}})
	finding.raise == -1
	finding.message == "\"Rollback\" is none of rollback, uninstall: wrong, or allowed by an API that is newer than the one that is known here"
	not finding.fix.safe
}

# What no version takes is refused whatever runs, and mended.
test_no_doubt[name] if {
	some name, tc in {
		"a number in quotes": {"upgrade": {"remediation": {"retries": "3"}}},
		"a duration without a unit": {"timeout": 5},
		"a label that is no text": {"commonMetadata": {"labels": {"a": 1}}},
		"two charts": {"chart": {"spec": {"chart": "a", "sourceRef": {"kind": "HelmRepository", "name": "b"}}}},
		"no chart": {"chartRef": null},
		"no name": {"chartRef": {"name": null}},
	}
	some finding in report with input as fixture.unknown(tc)
	not finding.raise
	startswith(finding.message, "the API server refuses this release: ")
	object.get(finding, ["fix", "safe"], true) == true
}

# A field that is not known may stand in for what is missing, and a later version may take more of a text.
test_doubt_beside_what_is_newer[name] if {
	some name, tc in {
		"another kind of chart": {"chartRef": null, "bundle": {}},
		"other units": {"timeout": "1d"},
		"part of a number": {"upgrade": {"remediation": {"retries": 1.5}}},
		"an interval for another strategy": {"upgrade": {"strategy": {"name": "RemediateOnFailure", "retryInterval": "5m"}}},
	}
	{f.raise | some f in report} == {-1} with input as fixture.unknown(tc)
}

# The definition in the tree decides: what it allows and what it checks.
test_definition_decides if {
	half := {"type": "object", "properties": {
		"strategy": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "enum": ["RetryOnFailure", "Gradual"]}, "retryInterval": {"type": "string"}}},
		"attempts": {"type": "integer"},
		"pause": {"type": "string", "pattern": "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"},
		"wait": {"type": "string", "pattern": "^([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+$"},
		"share": {"type": "number"},
		"look": {"type": "string", "pattern": "^(?!x)"},
	}}
	spec := {
		"chartRef": null,
		"install": {"strategy": {"name": "Gradual"}, "attempts": "3", "pause": "1d", "wait": "1d", "share": 0.5, "look": "y"},
		"upgrade": {"strategy": {"name": "Slow"}},
	}
	found := {[concat(".", f.path), f.message] | some f in report} with input as fixture.defined(spec, {"v2": fixture.with_fields({"install": half, "upgrade": half})})
	found == {
		["spec.install.attempts", "the API server refuses this release: \"3\" is no whole number"],
		["spec.install.pause", "the API server refuses this release: \"1d\" is no duration such as 90s, 5m or 1h30m"],
		["spec.upgrade.strategy.name", "the API server refuses this release: \"Slow\" is none of RetryOnFailure, Gradual"],
	}
}

test_definition_checks if {
	check := "(has(self.chart) && !has(self.chartRef)) || (!has(self.chart) && has(self.chartRef))"
	schema := object.union(fixture.with_fields({}), {"x-kubernetes-validations": [{"rule": check}]})
	{f.path | some f in report} == {["spec"]} with input as fixture.defined({"chartRef": null}, {"v2": schema})
}

test_kubeconfig_before_1_7 if {
	checks := [{"rule": "has(self.configMapRef) || has(self.secretRef)"}, {"rule": "!has(self.configMapRef) || !has(self.secretRef)"}]
	schema := fixture.with_fields({"kubeConfig": {"type": "object", "x-kubernetes-validations": checks}})
	{f.path | some f in report} == {["spec", "kubeConfig"]} with input as fixture.defined({"kubeConfig": {}}, {"v2": schema})
}
