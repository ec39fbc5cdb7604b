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
	finding.fix.set == [{"object": "Kustomization/flux-system/infra", "path": ["spec", "retryInterval"], "value": "2m"}]
}

test_accepted_on_the_boundary if count(report) == 0 with input as below(900)

# Half of a limit that is short.
test_repaired_within_the_limit if {
	some finding in report with input as object.union(below(901), {"params": {"late-retry": {"max": 90}}})
	finding.fix.set[0].value == "45s"
}

test_no_repair_of_a_short_interval if {
	some finding in report with input as object.union(below(901), {"above": {"retry": 60}})
	not finding.fix
}

# Admission knows no Kustomizations.
test_absent_when_not_known if count(report) == 0 with input as fixture.release({})
