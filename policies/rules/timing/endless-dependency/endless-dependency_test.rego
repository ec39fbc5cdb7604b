package remedy.rules.timing["endless-dependency_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["endless-dependency"].report

below(suspended, circle) := missing(suspended, circle, [])

missing(suspended, circle, gone) := object.union(fixture.release({}), {"above": {
	"kustomization": "a/apps", "waits": true, "dependents": [], "timeout": 300, "timeoutField": "timeout",
	"retry": 120, "retryField": "retryInterval", "late": 0, "suspended": suspended, "circle": circle, "missing": gone,
}})

test_what_is_suspended if {
	some finding in report with input as below(["a/apps", "a/base", "a/infra"], [])
	finding.object == "Kustomization/a/apps"
	finding.path == ["spec", "dependsOn"]
	finding.raise == 0
	endswith(finding.message, "it needs Kustomization a/base, which needs a/infra, which is suspended")
}

test_a_circle if {
	some finding in report with input as below([], ["a/apps", "a/infra", "a/apps"])
	finding.raise == 1
	endswith(finding.message, "it needs Kustomization a/infra, which needs a/apps")
}

test_one_finding_for_both if count(report) == 1 with input as below(["a/apps", "a/base"], ["a/apps", "a/infra", "a/apps"])

test_what_is_gone if {
	some finding in report with input as missing([], [], ["HelmRelease/a/old", "Kustomization/a/gone"])
	finding.path == ["spec", "healthChecks"]
	finding.raise == 0
	contains(finding.message, "the health of HelmRelease a/old, Kustomization a/gone, which nothing")
}

# What depends on it stands still, too.
test_what_is_gone_with_dependents if {
	some finding in report with input as object.union(missing([], [], ["HelmRelease/a/old"]), {"above": {"dependents": ["a/more"]}})
	finding.raise == 1
}

test_accepted if count(report) == 0 with input as below([], [])

release_needs(need) := object.union(fixture.release({"dependsOn": [{"name": "db"}]}), {"needs": [object.union(
	{"at": 0, "name": "apps/db", "hint": "", "way": [], "begins": false},
	need,
)]})

test_a_release_needs_what_is_missing if {
	some finding in report with input as release_needs({"is": "missing", "hint": "; did you mean dbs?"})
	finding.path == ["spec", "dependsOn", 0, "name"]
	finding.raise == 1
	endswith(finding.message, "it depends on HelmRelease apps/db, which nothing in the tree applies to this cluster; did you mean dbs?")
}

test_a_release_needs_what_is_suspended if {
	some finding in report with input as release_needs({"is": "suspended"})
	finding.raise == 0
}

test_a_release_needs_itself if {
	some finding in report with input as release_needs({"is": "circular", "way": ["HelmRelease a/a", "HelmRelease a/b", "HelmRelease a/a"]})
	finding.raise == 1
	endswith(finding.message, "ready: it needs HelmRelease a/b, which needs HelmRelease a/a")
}

test_a_release_needs_itself_on_a_new_cluster if {
	some finding in report with input as release_needs({"is": "circular", "begins": true, "way": ["HelmRelease a/a", "Kustomization a/b", "HelmRelease a/a"]})
	finding.raise == 0
	startswith(finding.message, "on a new cluster")
}

test_what_another_repository_may_apply_is_open if {
	report == {{"open": "it depends on HelmRelease apps/db, which is not in the tree: another repository may apply it"}} with input as release_needs({"is": "elsewhere"})
}

test_what_a_build_that_fails_may_be_of_is_open if {
	report == {{"open": "it depends on HelmRelease apps/db, of which nothing is known: Kustomization apps/db cannot be built"}} with input as release_needs({"is": "unbuilt", "hint": "Kustomization apps/db cannot be built"})
}

# Admission knows no Kustomizations.
test_absent_when_not_known if count(report) == 0 with input as fixture.release({})
