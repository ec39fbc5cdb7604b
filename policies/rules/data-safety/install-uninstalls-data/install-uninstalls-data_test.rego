package remedy.rules["data-safety"]["install-uninstalls-data_test"]

import data.remedy.lib.fixture
import data.remedy.rules["data-safety"]["install-uninstalls-data"].report

retries := ["spec", "install", "remediation", "retries"]

postgresql(install) := {"chartRef": {"name": "postgresql"}, "install": install}

# The input of a release with a chart instead of a chartRef.
from(chart) := fixture.raw({
	"apiVersion": fixture.api,
	"kind": "HelmRelease",
	"metadata": {"name": "db", "namespace": "apps"},
	"spec": {"interval": "1h", "chart": {"spec": {"chart": chart, "sourceRef": {"kind": "GitRepository", "name": "x"}}}, "install": fixture.bounded},
})

test_reported[name] if {
	some name, tc in {
		"retries": {"install": fixture.bounded, "path": retries, "text": "up to 3 times"},
		"without end": {"install": {"remediation": {"retries": -1}}, "path": retries, "text": "is undone by an uninstall again and again, without end,"},
		"one": {"install": {"remediation": {"retries": 1}}, "path": retries, "text": "up to 1 time,"},
		"the last one too": {"install": {"remediation": {"retries": 1, "remediateLastFailure": true}}, "path": retries, "text": "up to 2 times"},
		"the last one only": {
			"install": {"remediation": {"remediateLastFailure": true}},
			"path": ["spec", "install", "remediation", "remediateLastFailure"],
			"text": "up to 1 time,",
		},
	}
	some finding in report with input as fixture.release(postgresql(tc.install))
	finding.path == tc.path
	contains(finding.message, tc.text)
}

test_without_end_is_worse if {
	some finding in report with input as fixture.release(postgresql({"remediation": {"retries": -1}}))
	some bounded in report with input as fixture.release(postgresql(fixture.bounded))
	finding.degree > bounded.degree
}

test_knows_the_chart[name] if {
	some name, chart in {"plain": "redis", "in a folder": "./charts/redis", "folder with a slash": "charts/redis/"}
	some finding in report with input as from(chart)
	contains(finding.message, "a failed install of redis")
}

test_other_charts[name] if {
	some name, chart in {"stateless": "podinfo", "only part of the name": "redis-exporter", "in such a folder": "redis/podinfo"}
	count(report) == 0 with input as from(chart)
}

test_accepted[name] if {
	some name, install in {
		"nothing": {},
		"a retry": {"strategy": fixture.retry},
		"a retry with dead remediation": {"strategy": fixture.retry, "remediation": {"retries": 3}},
		"given up": {"remediation": {"retries": 0}},
	}
	count(report) == 0 with input as fixture.release(postgresql(install))
}

test_fix_retries if {
	some finding in report with input as fixture.preferring_bounded(postgresql(fixture.bounded))
	{"path": ["spec", "upgrade", "strategy", "name"], "value": "RetryOnFailure"} in finding.fix.set
}

test_no_fix_without_strategies if {
	some finding in report with input as fixture.under(postgresql(fixture.bounded), {"version": "1.3.0"})
	not finding.fix
	contains(finding.help, "RetryOnFailure needs helm-controller 1.4.0")
}

test_law_says_which_charts if {
	count(report) == 1 with input as fixture.release({"install": fixture.bounded})
		with input.stateful as "postgresql"
}

test_absent_when_refused if count(report) == 0 with input as from(["redis"])

# What the chart says, instead of its name.
with_loss(loss) := object.union(fixture.release(postgresql(fixture.bounded)), {
	"stateful": count(loss.lost) > 0,
	"loss": object.union({"chart": "postgresql 1.0.0", "certain": true, "definitions": [], "dropped": [], "kept": [], "lost": []}, loss),
})

test_by_name if {
	some finding in report with input as fixture.release(postgresql(fixture.bounded))
	contains(finding.message, "(by name: it is listed as a chart that holds data)")
	not finding.raise
}

test_surely_lost if {
	some finding in report with input as with_loss({"lost": ["PersistentVolumeClaim data (8Gi)"], "kept": ["PersistentVolumeClaim wal"]})
	contains(finding.message, "up to 3 times, and with it PersistentVolumeClaim data (8Gi); PersistentVolumeClaim wal stays")
	finding.raise == 1
}

test_many_are_counted if {
	some finding in report with input as with_loss({"lost": ["a", "b", "c", "d", "e", "f"]})
	contains(finding.message, "and with it a, b, c, d and 2 more")
}

test_doubtfully_lost if {
	some finding in report with input as with_loss({"lost": ["PersistentVolumeClaim data"], "certain": false, "doubt": "it asks the cluster"})
	contains(finding.message, "and with it at least PersistentVolumeClaim data")
	not finding.raise
}

test_nothing_lost if count(report) == 0 with input as with_loss({"lost": []})

test_open if {
	some finding in report with input as with_loss({"lost": [], "certain": false, "doubt": "its chart is not known"})
	finding.open == "its chart is not known"
}
