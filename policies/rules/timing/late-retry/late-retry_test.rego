package remedy.rules.timing["late-retry_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["late-retry"].report

below(late) := object.union(fixture.release({}), {"above": {
	"kustomization": "flux-system/infra", "waits": true, "dependents": ["flux-system/apps"],
	"retry": 3600, "retryField": "interval", "late": late,
}})

test_reported if {
	some finding in report with input as below(901)
	finding.object == "Kustomization/flux-system/infra"
	finding.path == ["spec", "interval"]
	finding.degree == 901
	contains(finding.message, "tried again 1h after it has failed")
	contains(finding.message, "what depends on it: flux-system/apps")
}

test_accepted_on_the_boundary if count(report) == 0 with input as below(900)

# Admission knows no Kustomizations.
test_absent_when_not_known if count(report) == 0 with input as fixture.release({})
