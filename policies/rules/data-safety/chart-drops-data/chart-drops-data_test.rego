package remedy.rules["data-safety"]["chart-drops-data_test"]

import data.remedy.lib.fixture
import data.remedy.rules["data-safety"]["chart-drops-data"].report

dropping(dropped) := in_release(fixture.release({}), dropped)

in_release(input_, dropped) := object.union(input_, {"loss": {
	"certain": true, "chart": "events 2.0.0", "definitions": [], "dropped": dropped, "kept": [], "lost": [],
}})

test_reported if {
	some finding in report with input as dropping(["PersistentVolumeClaim events (8Gi)"])
	finding.path == ["spec", "chartRef"]
	contains(finding.message, "the upgrade to events 2.0.0 deletes PersistentVolumeClaim events (8Gi)")
}

test_each_object if count(report) == 2 with input as dropping(["PersistentVolumeClaim a", "PersistentVolumeClaim b"])

test_where_the_version_stands[name] if {
	some name, tc in {
		"a version": {"spec": {"chart": "events", "version": "2.0.0"}, "path": ["spec", "chart", "spec", "version"]},
		"no version": {"spec": {"chart": "events"}, "path": ["spec", "chart"]},
	}
	some finding in report with input as in_release(
		fixture.raw({
			"apiVersion": fixture.api,
			"kind": "HelmRelease",
			"metadata": {"name": "events", "namespace": "apps"},
			"spec": {"interval": "1h", "chart": {"spec": object.union(tc.spec, {"sourceRef": {"kind": "HelmRepository", "name": "x"}})}},
		}),
		["PersistentVolumeClaim events"],
	)
	finding.path == tc.path
}

test_accepted if count(report) == 0 with input as dropping([])

test_absent if count(report) == 0 with input as fixture.release({})
