package remedy.rules["data-safety"]["release-target-change_test"]

import data.remedy.lib.fixture
import data.remedy.rules["data-safety"]["release-target-change"].report

test_reported[name] if {
	some name, change in {
		"name": {"to": {"releaseName": "other"}, "at": {"releaseName"}},
		"name taken away": {"from": {"releaseName": "other"}, "at": {"releaseName"}},
		"namespace": {"to": {"targetNamespace": "other"}, "at": {"targetNamespace"}},
		"namespace with the name kept": {"to": {"targetNamespace": "other", "releaseName": "app"}, "at": {"targetNamespace"}},
		"its own namespace written": {"to": {"targetNamespace": "apps"}, "at": {"releaseName"}},
		"records": {"to": {"storageNamespace": "other"}, "at": {"storageNamespace"}},
		"all": {
			"to": {"targetNamespace": "a", "storageNamespace": "b", "releaseName": "c"},
			"at": {"targetNamespace", "storageNamespace"},
		},
	}
	update := fixture.update(object.get(change, "from", {}), fixture.deployed, object.get(change, "to", {}))
	{f.path[1] | some f in report} == change.at with input as update
}

test_accepted[name] if {
	some name, spec in {
		"the same": {},
		"the name written": {"releaseName": "app"},
		"the namespaces written": {"targetNamespace": "apps", "storageNamespace": "apps", "releaseName": "app"},
		"something else": {"timeout": "10m"},
	}
	count(report) == 0 with input as fixture.update({}, fixture.deployed, spec)
}

test_names_both if {
	some finding in report with input as fixture.update({}, fixture.deployed, {"targetNamespace": "other", "storageNamespace": "third"})
	contains(finding.message, "makes other/other-app (records in third) of apps/app (records in apps):")
}

test_leaves_the_records_out if {
	some finding in report with input as fixture.update({}, fixture.deployed, {"releaseName": "other"})
	contains(finding.message, "makes apps/other of apps/app:")
}

test_absent_when_nothing_is_installed if {
	count(report) == 0 with input as fixture.update({}, {}, {"releaseName": "other"})
	count(report) == 0 with input as fixture.update({}, {"history": []}, {"releaseName": "other"})
}

# A comparison of two trees, which knows what the release that is replaced loses.
compared(loss) := object.union(fixture.update({}, {}, {"releaseName": "other"}), {"replaced": object.union(
	{"chart": "app 1.0.0", "certain": true, "definitions": [], "dropped": [], "kept": [], "lost": []},
	loss,
)})

test_by_the_chart if {
	some finding in report with input as compared({"lost": ["PersistentVolumeClaim data (8Gi)"]})
	contains(finding.message, "uninstalls the release that exists, and with it PersistentVolumeClaim data (8Gi)")
}

test_doubtfully_by_the_chart if {
	some finding in report with input as compared({"certain": false, "doubt": "x", "lost": ["PersistentVolumeClaim data"]})
	contains(finding.message, "and with it at least PersistentVolumeClaim data")
}

test_without_the_chart if {
	some finding in report with input as object.union(compared({"certain": false}), {"stateful": "postgresql"})
	contains(finding.message, "(by name: it is listed as a chart that holds data)")
}

test_nothing_lost if count(report) == 0 with input as compared({})

# A comparison of two trees, in which Flux prunes the object that had another name.
pruned(to, loss) := object.union(compared(loss), {"moves": object.union(
	{"object": {"from": {"namespace": "apps", "name": "old"}, "to": object.union({"namespace": "apps", "name": "app"}, to), "alike": false}},
	{"target": {"from": {"namespace": "apps", "name": "old"}, "to": {"namespace": "apps", "name": "app"}}},
)})

# Only its settings tell that it is the same.
alike := {"moves": {"object": {"from": {"namespace": "apps", "name": "old"}, "to": {"namespace": "apps", "name": "app"}, "alike": true}}}

test_alike if {
	some finding in report with input as object.union(compared({"certain": false}), alike)
	contains(finding.message, "this seems to take the place of HelmRelease apps/old: ")
	finding.raise == -1
}

test_alike_with_data if {
	some finding in report with input as object.union(compared({"certain": false, "lost": ["PersistentVolumeClaim data"]}), alike)
	finding.raise == 0
}

test_alike_by_name if {
	some finding in report with input as object.union_n([compared({"certain": false}), alike, {"stateful": "postgresql"}])
	finding.raise == 0
}

test_pruned if {
	count(report) == 1 with input as pruned({}, {"certain": false})
	some finding in report with input as pruned({}, {"certain": false})
	finding.path == ["metadata", "name"]
	contains(finding.message, "of HelmRelease apps/old: this one is installed from scratch, and Flux prunes that one, which uninstalls apps/old, with")
}

test_pruned_in_another_namespace if {
	some finding in report with input as pruned({"namespace": "other", "name": "old"}, {"certain": false})
	finding.path == ["metadata", "namespace"]
}

test_pruned_with_the_same_release if {
	shared := json.remove(pruned({}, {"lost": ["PersistentVolumeClaim data"]}), ["/moves/target"])
	some finding in report with input as shared
	contains(finding.message, ": Flux prunes that one, which uninstalls the Helm release of both, and with it PersistentVolumeClaim data")
}

test_pruned_without_a_loss if count(report) == 0 with input as pruned({}, {})

test_absent_on_creation if count(report) == 0 with input as fixture.release({"releaseName": "other"})

test_absent_when_refused if {
	count(report) == 0 with input as fixture.update({}, fixture.deployed, {"releaseName": "other", "upgrade": "none"})
}

pruning(certain) := object.union(fixture.update({}, fixture.deployed, {}), {"moves": {"pruning": {"by": "a/apps", "for": "a/data", "certain": certain}}})

test_another_kustomization_applies_it if {
	some finding in report with input as pruning(false)
	finding.path == ["metadata", "name"]
	finding.raise == -1
	contains(finding.message, "Kustomization a/data applies this now; Kustomization a/apps, which applied it, prunes it if it comes to the commit first: then it")
}

# The same where data is known to be lost.
with_data := {
	"by name": {"stateful": "postgresql"},
	"by its chart": {"replaced": {"chart": "app 1.0.0", "certain": false, "definitions": [], "dropped": [], "kept": [], "lost": ["PersistentVolumeClaim data"]}},
}

test_another_kustomization_applies_it_with_data[name] if {
	some name, data_ in with_data
	some finding in report with input as object.union(pruning(false), data_)
	finding.raise == 0
}

test_another_kustomization_waits_for_the_former if {
	some finding in report with input as pruning(true)
	finding.raise == 0
	contains(finding.message, "Kustomization a/data applies this now, but only after Kustomization a/apps, which applied it, has pruned it: then it is uninstalled")
}

test_another_kustomization_applies_the_one_that_applies_it if {
	some finding in report with input as object.union(pruning(false), {"moves": {"pruning": {"kustomization": "a/shop"}}})
	contains(finding.message, "Kustomization a/data applies the Kustomization of this HelmRelease now; Kustomization a/apps, which applied it, prunes it if it comes to the commit first: then the HelmRelease is uninstalled")
	contains(finding.message, "set on the Kustomization that moves the annotation kustomize.toolkit.fluxcd.io/prune: disabled in a commit before")
}

emptied(namespace, by, certain) := object.union(
	fixture.update({}, fixture.deployed, {}),
	{"moves": {"pruning": {"by": "a/base", "for": by, "namespace": namespace, "certain": certain}}},
)

test_its_namespace_is_removed if {
	some finding in report with input as emptied("apps", "", true)
	finding.path == ["metadata", "namespace"]
	finding.raise == 0
	contains(finding.message, "nothing in the tree applies Namespace apps now, so Kustomization a/base, which applied it, prunes it, and with it everything in it: this HelmRelease is uninstalled, with")
}

test_its_namespace_may_be_applied_by_what_is_not_read if {
	some finding in report with input as emptied("apps", "", false)
	finding.raise == -1
	contains(finding.message, "applies Namespace apps now; unless something outside of it does, Kustomization a/base, which applied it, prunes it, and")
}

test_its_namespace_with_data_may_be_applied_by_what_is_not_read[name] if {
	some name, data_ in with_data
	some finding in report with input as object.union(emptied("apps", "", false), data_)
	finding.raise == -1
}

test_another_kustomization_may_apply_its_namespace_in_time if {
	some finding in report with input as emptied("apps", "a/apps", false)
	finding.raise == -1
}

test_another_kustomization_may_apply_its_namespace_with_data_in_time[name] if {
	some name, data_ in with_data
	some finding in report with input as object.union(emptied("apps", "a/apps", false), data_)
	finding.raise == 0
}

test_its_target_namespace_is_removed if {
	count(report) == 1 with input as emptied("other", "", true)
	some finding in report with input as emptied("other", "", true)
	finding.path == ["spec", "targetNamespace"]
	contains(finding.message, ": what the release has there is deleted, with")
}

test_another_kustomization_applies_its_namespace if {
	some finding in report with input as emptied("apps", "a/apps", true)
	contains(finding.message, "Kustomization a/apps applies Namespace apps now, but only after Kustomization a/base, which applied it, has pruned it: then it is deleted, and with it everything in it")
}
