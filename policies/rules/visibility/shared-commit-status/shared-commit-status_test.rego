package remedy.rules.visibility["shared-commit-status_test"]

import data.remedy.lib.fixture
import data.remedy.rules.visibility["shared-commit-status"].report

alerted(alerting) := object.union(fixture.release({}), {"alerting": alerting})

shared(expr) := {"untold": false, "shared": [{
	"kustomization": "team-a/shop", "provider": "flux-system/github", "expr": expr, "other": "Kustomization team-b/shop",
}]}

test_reported[name] if {
	some name, tc in {
		"by name": {"expr": false, "text": "Kustomization team-b/shop, whose name is equal"},
		"by expression": {"expr": true, "text": "by commitStatusExpr of Provider flux-system/github"},
	}
	some finding in report with input as alerted(shared(tc.expr))
	finding.object == "Provider/flux-system/github"
	finding.path == ["spec", "commitStatusExpr"]
	contains(finding.message, tc.text)
}

test_accepted if count(report) == 0 with input as alerted({"untold": true})

# Admission knows no Alerts.
test_absent_when_not_known if count(report) == 0 with input as fixture.release({})
