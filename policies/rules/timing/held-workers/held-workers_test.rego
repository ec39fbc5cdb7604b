package remedy.rules.timing["held-workers_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["held-workers"].report

below(workers, known) := object.union(
	fixture.release({
		"install": {"strategy": {"name": "RetryOnFailure", "retryInterval": "5m"}},
		"upgrade": {"strategy": {"name": "RetryOnFailure", "retryInterval": "5m"}},
	}),
	{"above": {
		"kustomization": "flux-system/infra", "waits": true, "dependents": [], "timeout": 300, "timeoutField": "timeout",
		"retry": 120, "retryField": "retryInterval", "late": 0, "suspended": [], "circle": [], "missing": [],
		"workers": {"of": workers, "holding": 5, "known": known},
	}},
)

test_reported if {
	some finding in report with input as below(4, false)
	finding.object == "Kustomization/flux-system/infra"
	finding.degree == 1
	contains(finding.message, "5 Kustomizations of the cluster")
	contains(finding.message, "has 4 workers (the default of --concurrent): if 4 fail together")
	contains(finding.message, "holds one for 5m of every 7m")
}

test_says_what_the_tree_says if {
	some finding in report with input as below(1, true)
	contains(finding.message, "has 1 worker: if 1 fail")
}

test_accepted_if_there_are_workers_enough if {
	count(report) == 0 with input as json.remove(below(4, true), ["/above/workers"])
}

test_accepted_of_other_classes if {
	count(report) == 0 with input as object.union(fixture.release({}), {"above": below(4, true).above})
}

# Admission knows no Kustomizations.
test_absent_when_not_known if count(report) == 0 with input as fixture.release({})
