package remedy.rules.visibility["unawaited-dependency_test"]

import data.remedy.lib.fixture
import data.remedy.rules.visibility["unawaited-dependency"].report

below(waits, dependents) := object.union(fixture.release({}), {"above": {
	"kustomization": "flux-system/infra", "waits": waits, "dependents": dependents,
	"retry": 120, "retryField": "retryInterval", "late": 0,
}})

test_reported if {
	some finding in report with input as below(false, ["flux-system/apps"])
	finding.object == "Kustomization/flux-system/infra"
	finding.path == ["spec", "wait"]
	contains(finding.message, "(flux-system/apps)")
}

test_accepted if count(report) == 0 with input as below(true, ["flux-system/apps"])

# What waits for it by its health alone does not go on.
test_accepted_without_dependents if count(report) == 0 with input as below(false, [])

# Admission knows no Kustomizations.
test_absent_when_not_known if count(report) == 0 with input as fixture.release({})
