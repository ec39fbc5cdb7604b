package remedy.rules.timing["short-wait_test"]

import data.remedy.lib.fixture
import data.remedy.rules.timing["short-wait"].report

below(above) := object.union(fixture.release({"timeout": "10m"}), {"above": object.union(
	{
		"kustomization": "flux-system/infra", "waits": true, "dependents": ["flux-system/apps"],
		"timeout": 300, "timeoutField": "timeout", "attempt": 900, "named": false, "retry": 3600, "retryField": "interval", "late": 0, "suspended": [], "circle": [], "missing": [],
	},
	above,
)})

test_reported if {
	some finding in report with input as below({})
	finding.object == "Kustomization/flux-system/infra"
	finding.path == ["spec", "timeout"]
	finding.raise == 0
	contains(finding.message, "gives up waiting after 5m, and an attempt of the release may take 10m: it is red for 1h")
	contains(finding.message, "stands still: flux-system/apps")
	finding.fix == {"safe": true, "set": [{"object": "Kustomization/flux-system/infra", "path": ["spec", "timeout"], "value": "15m"}]}
}

test_milder_where_nothing_depends_on_it if {
	some finding in report with input as below({"dependents": []})
	finding.raise == -1
	endswith(finding.message, "before it looks again")
}

test_accepted_on_the_boundary if count(report) == 0 with input as below({"timeout": 600})

test_accepted_if_it_does_not_wait if count(report) == 0 with input as below({"waits": false})

# Admission knows no Kustomizations.
test_absent_when_not_known if count(report) == 0 with input as fixture.release({"timeout": "10m"})
