package remedy.rules["data-safety"]["uninstall-on-upgrade-failure_test"]

import data.remedy.lib.fixture
import data.remedy.rules["data-safety"]["uninstall-on-upgrade-failure"].path
import data.remedy.rules["data-safety"]["uninstall-on-upgrade-failure"].report

uninstall(remediation) := {"remediation": object.union({"strategy": "uninstall"}, remediation)}

test_reported[name] if {
	some name, tc in {
		"retries": {"install": fixture.bounded, "upgrade": uninstall({"retries": 3})},
		"without end": {"install": fixture.bounded, "upgrade": uninstall({"retries": -1})},
		"last failure only": {"install": fixture.bounded, "upgrade": uninstall({"remediateLastFailure": true})},
		"retries but not the last": {"install": fixture.bounded, "upgrade": uninstall({"retries": 1, "remediateLastFailure": false})},
		"the install gives up": {"install": {}, "upgrade": uninstall({"retries": 1})},
		"the install retries": {"install": {"strategy": fixture.retry}, "upgrade": uninstall({"retries": 1})},
	}
	{f.path | some f in report} == {path} with input as fixture.release(tc)
}

test_says_what_follows[name] if {
	some name, tc in {
		"bounded": {"install": {"remediation": {"retries": 2}}, "text": "in 3 attempts before the release is Stalled"},
		"given up": {"install": {}, "text": "in 1 attempt before"},
		"endless": {"install": {"remediation": {"retries": -1}}, "text": "forever"},
		"retried": {"install": {"strategy": fixture.retry}, "text": "Stalled with nothing installed"},
	}
	some finding in report with input as fixture.release({"install": tc.install, "upgrade": uninstall({"retries": 1})})
	contains(finding.message, tc.text)
}

test_says_that_the_history_is_in_the_way if {
	spec := {"install": fixture.bounded, "upgrade": uninstall({"retries": 1}), "uninstall": {"keepHistory": true}}
	some finding in report with input as fixture.release(spec)
	contains(finding.message, "then nothing can be installed in its place")
}

test_accepted[name] if {
	some name, upgrade in {
		"nothing": {},
		"rollback": {"remediation": {"retries": 3, "strategy": "rollback"}},
		"default remediation": {"remediation": {"retries": 3}},
		"never used": uninstall({}),
		"never used, said twice": uninstall({"retries": 0, "remediateLastFailure": false}),
		"beside a retry": object.union(uninstall({"retries": 3}), {"strategy": fixture.retry}),
	}
	count(report) == 0 with input as fixture.release({"install": fixture.bounded, "upgrade": upgrade})
}

test_accepted_by_the_gate if {
	count(report) == 0 with input as fixture.gated({"upgrade": uninstall({"retries": 3})})
}

test_fixed_where_a_rollback_is_enough if {
	some finding in report with input as fixture.release({"install": fixture.bounded, "upgrade": uninstall({"retries": 3})})
	finding.fix == {"safe": false, "set": [{"path": path, "value": "rollback"}]}
}

test_fixed_beside_an_install_that_retries if {
	spec := {"install": {"strategy": fixture.retry}, "upgrade": uninstall({"retries": 1})}
	some finding in report with input as fixture.release(spec)
	finding.fix.safe == false
	finding.fix.set == [
		{"path": ["spec", "upgrade", "strategy", "name"], "value": "RetryOnFailure"},
		{"path": ["spec", "upgrade", "remediation"], "value": null},
	]
}

test_not_fixed_where_the_upgrade_is_not_retried if {
	spec := {"install": fixture.bounded, "upgrade": uninstall({"remediateLastFailure": true})}
	some finding in report with input as fixture.release(spec)
	not finding.fix
}

test_absent_when_refused if count(report) == 0 with input as fixture.release({"upgrade": uninstall({"retries": "3"})})

with_loss(loss) := object.union(
	fixture.release({"install": fixture.bounded, "upgrade": uninstall({"retries": 1})}),
	{"loss": object.union({"chart": "app 1.0.0", "certain": true, "definitions": [], "dropped": [], "kept": [], "lost": []}, loss)},
)

test_says_what_is_lost[name] if {
	some name, tc in {
		"known": {"loss": {"lost": ["PersistentVolumeClaim data (8Gi)"], "kept": ["PersistentVolumeClaim wal"]}, "text": "release, and with it PersistentVolumeClaim data (8Gi); PersistentVolumeClaim wal stays; then"},
		"doubtful": {"loss": {"certain": false, "doubt": "x"}, "text": "release, with the volume claims"},
		"partly": {"loss": {"certain": false, "doubt": "x", "lost": ["PersistentVolumeClaim data"]}, "text": "release, and with it at least PersistentVolumeClaim data; then"},
	}
	some finding in report with input as with_loss(tc.loss)
	contains(finding.message, tc.text)
	not finding.raise
}

test_milder_where_nothing_is_lost if {
	some finding in report with input as with_loss({"lost": []})
	contains(finding.message, "the working release; nothing that it deletes holds data; then")
	finding.raise == -1
}
