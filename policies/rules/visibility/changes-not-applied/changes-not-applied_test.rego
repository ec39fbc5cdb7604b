package remedy.rules.visibility["changes-not-applied_test"]

import data.remedy.lib.fixture
import data.remedy.rules.visibility["changes-not-applied"].report

still(change) := object.union(fixture.release({}), {"standstills": [object.union(
	{"object": "Kustomization/a/apps", "path": ["spec", "suspend"], "why": "Kustomization a/apps is suspended", "open": false, "of": "release"},
	change,
)]})

test_a_kustomization if {
	some finding in report with input as still({})
	finding.object == "Kustomization/a/apps"
	finding.path == ["spec", "suspend"]
	finding.message == "no commit reaches this release: Kustomization a/apps is suspended"
}

test_what_waits_for_it if {
	some finding in report with input as still({"waiting": ["a/shop", "a/web"]})
	endswith(finding.message, "is suspended; from the next commit on, nothing is applied either of what depends on it (a/shop, a/web)")
}

test_the_release_itself if {
	some finding in report with input as still({"object": "", "path": ["metadata"]})
	object.keys(finding) == {"path", "message"}
}

test_its_chart if {
	some finding in report with input as still({"object": "", "of": "chart", "why": "OCIRepository a/shop is suspended"})
	finding.message == "no other version of its chart reaches this release: OCIRepository a/shop is suspended"
}

test_what_is_above if {
	some finding in report with input as still({"of": "above"})
	startswith(finding.message, "commits reach this release at most in part: Kustomization a/apps is suspended, so a Kustomization")
}

test_what_hangs_on_a_variable if {
	report == {{"open": "a variable that is not known decides whether Kustomization a/apps is suspended"}} with input as still({"open": true})
}

# Admission knows no Kustomizations.
test_absent_when_not_known if count(report) == 0 with input as fixture.release({})
