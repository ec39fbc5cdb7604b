package remedy.rules.visibility["unawaited-dependency_test"]

import data.remedy.lib.fixture
import data.remedy.rules.visibility["unawaited-dependency"].report

edit(field, value) := {"object": "Kustomization/flux-system/infra", "path": ["spec", field], "value": value}

below(waits, dependents) := object.union(fixture.release({}), {"above": {
	"kustomization": "flux-system/infra", "waits": waits, "dependents": dependents,
	"retry": 120, "retryField": "retryInterval", "late": 0, "timeout": 600, "attempt": 300, "named": false, "circle": [], "deadlock": [], "missing": [], "endless": false,
}})

test_reported if {
	some finding in report with input as below(false, ["flux-system/apps"])
	finding.object == "Kustomization/flux-system/infra"
	finding.path == ["spec", "wait"]
	contains(finding.message, "(flux-system/apps)")
	finding.fix == {"safe": true, "set": [edit("wait", true)]}
}

# What waits needs a timeout and a retry interval that fit.
test_repaired_with_what_it_brings_up if {
	some finding in report with input as object.union(below(false, ["flux-system/apps"]), {"above": {"timeout": 60, "retry": 3600}})
	finding.fix.set == [edit("wait", true), edit("timeout", "5m"), edit("retryInterval", "2m")]
}

# spec.wait would take its health checks away.
test_no_repair_beside_health_checks if {
	some finding in report with input as object.union(below(false, ["flux-system/apps"]), {"above": {"named": true}})
	not finding.fix
}

deadlock(endless, over) := object.union(below(false, ["flux-system/apps"]), {"above": {
	"deadlock": ["Kustomization flux-system/infra", over, "Kustomization flux-system/infra"], "endless": endless,
}})

# With spec.wait it would wait for itself.
test_no_repair_that_waits_for_itself if {
	some finding in report with input as deadlock(false, "Kustomization flux-system/apps")
	not finding.fix
	startswith(finding.help, "name the release in spec.healthChecks of Kustomization flux-system/infra: ")
	endswith(finding.help, "since it needs Kustomization flux-system/apps, which needs Kustomization flux-system/infra")
}

test_no_repair_of_a_release_that_needs_it if {
	some finding in report with input as deadlock(true, "HelmRelease apps/db")
	not finding.fix
	startswith(finding.help, "break the circle before ")
	endswith(finding.help, "since it needs HelmRelease apps/db, which needs Kustomization flux-system/infra")
}

test_accepted if count(report) == 0 with input as below(true, ["flux-system/apps"])

test_accepted_in_a_circle if {
	count(report) == 0 with input as object.union(below(false, ["flux-system/apps"]), {"above": {"circle": ["a/b", "a/b"]}})
}

test_accepted_with_a_check_of_what_is_gone if {
	count(report) == 0 with input as object.union(below(false, ["flux-system/apps"]), {"above": {"missing": ["HelmRelease/infra/gone"]}})
}

# What waits for it by its health alone does not go on.
test_accepted_without_dependents if count(report) == 0 with input as below(false, [])

# Admission knows no Kustomizations.
test_absent_when_not_known if count(report) == 0 with input as fixture.release({})
