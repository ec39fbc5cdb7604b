package remedy.rules["data-safety"]["reinstall-on-rename_test"]

import data.remedy.lib.fixture
import data.remedy.rules["data-safety"]["reinstall-on-rename"].report

of(name) := from(name, "HelmRepository")

from(name, kind) := {"chart": {"spec": {"chart": name, "sourceRef": {"kind": kind, "name": "charts"}}}}

at(url) := {"chart": {"kind": "OCIRepository", "spec": {"url": url}}}

replaced(was, is) := fixture.update(was, fixture.deployed, is)

test_reported[name] if {
	some name, upgrade in {
		"nothing written": {},
		"written": {"upgrade": {"chartNameChangeStrategy": "Reinstall"}},
	}
	count(report) == 1 with input as replaced(of("redis"), object.union(of("valkey"), upgrade))
}

test_decided_by_the_new_spec if {
	was := object.union(of("redis"), {"upgrade": {"chartNameChangeStrategy": "InPlaceUpdate"}})
	count(report) == 1 with input as replaced(was, of("valkey"))
}

test_accepted[name] if {
	some name, pair in {
		"the same chart": [of("redis"), of("redis")],
		"another folder of the registry": [of("redis"), of("mirror/redis")],
		"in place": [of("redis"), object.union(of("valkey"), {"upgrade": {"chartNameChangeStrategy": "InPlaceUpdate"}})],
		"the same chart by its URL": [of("redis"), at("oci://registry/charts/redis")],
		"another registry": [at("oci://registry/charts/redis"), at("oci://mirror/redis/")],
		"a path in Git": [from("./a", "GitRepository"), from("./b", "GitRepository")],
		"a chart whose name is not written": [of("redis"), {}],
	}
	count(report) == 0 with input as replaced(pair[0], pair[1])
}

test_by_the_chart[name] if {
	some name, tc in {
		"lost": {"loss": {"certain": true, "lost": ["PersistentVolumeClaim data"]}, "text": "exists, and with it PersistentVolumeClaim data"},
		"at least": {"loss": {"certain": false, "lost": ["PersistentVolumeClaim data"]}, "text": "at least PersistentVolumeClaim data"},
		"by name": {"loss": {"certain": false, "lost": []}, "text": "(by name: it is listed"},
	}
	compared := object.union(fixture.update(of("redis"), {}, of("valkey")), {"replaced": tc.loss})
	some finding in report with input as compared
	contains(finding.message, tc.text)
}

# In a folder the name is in the chart, which a comparison knows only if it is at hand.
test_in_a_folder[name] if {
	was := {"certain": true, "lost": ["PersistentVolumeClaim data"], "chart": "redis 1.0.0"}
	updated := fixture.update(from("./a", "GitRepository"), {}, from("./b", "GitRepository"))
	some name, tc in {
		"another name": {"chart": "valkey 1.0.0", "count": 1},
		"another version": {"chart": "redis 2.0.0", "count": 0},
	}
	compared := object.union(updated, {"replaced": was, "loss": {"certain": true, "lost": [], "chart": tc.chart}})
	count(report) == tc.count with input as compared
}

test_nothing_lost if {
	compared := object.union(fixture.update(of("redis"), {}, of("valkey")), {"replaced": {"certain": true, "lost": []}})
	count(report) == 0 with input as compared
}

test_fix if {
	some finding in report with input as replaced(of("redis"), of("valkey"))
	not finding.fix.safe
	finding.fix.set == [{"path": ["spec", "upgrade", "chartNameChangeStrategy"], "value": "InPlaceUpdate"}]
}

test_absent_when_nothing_is_installed if {
	count(report) == 0 with input as fixture.update(of("redis"), {}, of("valkey"))
}

test_absent_on_creation if count(report) == 0 with input as fixture.release(of("redis"))

test_by_url[name] if {
	some name, pair in {
		"from a repository": [of("redis"), at("oci://registry/charts/valkey")],
		"another URL": [at("oci://registry/charts/redis"), at("oci://registry/charts/valkey")],
	}
	{f.path | some f in report} == {["spec", "chart", "spec", "url"]} with input as replaced(pair[0], pair[1])
}
