package remedy.rules.timing["endless-dependency_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["endless-dependency"].report

below(suspended, circle) := object.union(fixture.release({}), {"above": {
	"kustomization": "a/apps", "waits": true, "dependents": [], "timeout": 300, "timeoutField": "timeout",
	"retry": 120, "retryField": "retryInterval", "late": 0, "suspended": suspended, "circle": circle,
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

test_accepted if count(report) == 0 with input as below([], [])

# Admission knows no Kustomizations.
test_absent_when_not_known if count(report) == 0 with input as fixture.release({})
