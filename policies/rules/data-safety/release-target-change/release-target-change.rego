# METADATA
# title: Changing a release's name or target, or removing its namespace, uninstalls it
# description: |
#   A Helm release is known by its name, its namespace and the namespace of its
#   records. When one of them changes, the controller uninstalls the release that it
#   knows and installs another one from scratch: an outage, the loss of every
#   PersistentVolumeClaim and custom resource that the chart's templates create, and
#   no way back if the install fails. The name depends on the namespace: unless
#   `releaseName` is written it is `<targetNamespace>-<name>`.
#
#   A HelmRelease with another name or namespace is another object. Flux prunes the one that
#   was there, which uninstalls its release, also where the new one has the same `releaseName` and
#   has taken that over. A suspended HelmRelease is deleted without an uninstall: to keep what is
#   installed, suspend it in a commit before, and then give the new one the release name, target
#   and storage namespace that it had. Where neither its file nor its name tells that it is the same,
#   but three quarters of its settings do, this is a warning, unless data is known to be lost; an error if
#   nine tenths do, without those whose values hold the name.
#
#   Another Flux Kustomization may apply the HelmRelease, as after a Kustomization was renamed. The one
#   that applied it prunes it, unless the new one has applied it by then. Where who comes first decides, this is a
#   warning, unless data is known to be lost. To move it safely, set its
#   annotation `kustomize.toolkit.fluxcd.io/prune: disabled` in a commit before. The same goes for the Kustomization
#   that applies it: when that is deleted, it deletes all that it has applied.
#
#   With a Namespace goes everything in it: every HelmRelease, which is uninstalled, every volume claim
#   and every Secret. Where a Kustomization applied it, and nothing does now, Flux prunes it. To keep it, or to
#   move it to another Kustomization, set that annotation on the Namespace in a commit before. Where the change is the
#   first to hide a part of what is applied to the cluster, that part may apply it: this is a warning.
#
#   A severity that the configuration sets holds for all of these, also for what is a warning by default.
#
#   The webhook can tell, since it sees what the update replaces, and so can `flux-remedy diff`
#   and `--new-from`, for which what the base has is installed. With the charts at hand (`--charts`)
#   they say what is lost, and nothing where that is nothing. Where the
#   move is wanted, waive this rule on the release until it is done.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#release-name
#   description: Release name
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#target-namespace
#   description: Target namespace
# custom:
#   help: Waive this rule on the release until the move is done, if the uninstall is wanted.
#   severity: {production: error, staging: warning, development: info}
#   raise: -1
#   since: 0.1.0
package remedy.rules["data-safety"]["release-target-change"]

import data.remedy.lib
import data.remedy.lib.chart
import data.remedy.lib.loss
import data.remedy.lib.update

report contains lib.finding(["spec", field], message) if {
	update.installed
	some field in moved
	not loss.replaced_nothing
}

report contains object.union(lib.finding(["metadata", renamed], pruning), {"raise": weight[input.moves.object.alike == false]}) if {
	update.pruned
	not loss.replaced_nothing
}

report contains object.union(lib.finding(["metadata", "name"], taken), {"raise": weight[input.moves.pruning.certain]}) if {
	not loss.replaced_nothing
	not update.pruned
	not input.moves.pruning.namespace
	taken := sprintf(
		concat("", [
			"%s%s: ",
			"then %s is uninstalled and installed from scratch%s; to move it safely, set %s kustomize.toolkit.fluxcd.io/prune: disabled in a commit before",
		]),
		[applied(subject[0]), sprintf(comes[input.moves.pruning.certain], [input.moves.pruning.by]), subject[1], loss.replaced(chart.stateful), annotation],
	)
}

report contains object.union(lib.finding(field, emptied), {"raise": min([weight[input.moves.pruning.certain], unseen])}) if {
	namespace := input.moves.pruning.namespace
	emptied := sprintf(
		concat("", [
			"%s, and with it everything in it: %s%s; ",
			"to keep the Namespace, set its annotation kustomize.toolkit.fluxcd.io/prune: disabled in a commit before",
		]),
		[goes, within[namespace == input.object.metadata.namespace], loss.replaced(chart.stateful)],
	)
}

default field := ["spec", "targetNamespace"]

field := ["metadata", "namespace"] if input.moves.pruning.namespace == input.object.metadata.namespace

goes := sprintf(
	"nothing in the tree applies Namespace %s now%s Kustomization %s, which applied it, prunes it",
	[input.moves.pruning.namespace, so[input.moves.pruning.certain], input.moves.pruning.by],
) if {
	input.moves.pruning.for == ""
} else := sprintf(
	"%s%s: then it is deleted",
	[applied(sprintf("Namespace %s", [input.moves.pruning.namespace])), sprintf(comes[input.moves.pruning.certain], [input.moves.pruning.by])],
)

applied(what) := sprintf("Kustomization %s applies %s%s now", [input.moves.pruning.for, inner, what])

# It is not named: there may be one for each release, of which the same is said.
default inner := ""

inner := "the Kustomization of " if input.moves.pruning.kustomization

default subject := ["this", "it"]

subject := ["this HelmRelease", "the HelmRelease"] if input.moves.pruning.kustomization

default annotation := "its annotation"

annotation := "on the Kustomization that moves the annotation" if input.moves.pruning.kustomization

so := {true: ", so", false: "; unless something outside of it does,"}

within := {true: "this HelmRelease is uninstalled", false: "what the release has there is deleted"}

# Where only the settings are alike, it may be another release, and where who comes first to the commit decides, nothing may
# be pruned: then a warning will do, unless data is lost.
weight := {true: 0, false: doubtful}

default doubtful := -1

doubtful := 0 if chart.stateful

doubtful := 0 if count(input.replaced.lost) > 0

# What the change hides may apply the Namespace, whatever is in it.
default unseen := 0

unseen := -1 if {
	input.moves.pruning.for == ""
	not input.moves.pruning.certain
}

comes := {
	true: ", but only after Kustomization %s, which applied it, has pruned it",
	false: "; Kustomization %s, which applied it, prunes it if it comes to the commit first",
}

message := sprintf(
	"this makes %s of %s: the controller installs that from scratch and first uninstalls the release that exists%s",
	[target(input.moves.target.to), target(input.moves.target.from), loss.replaced(chart.stateful)],
)

pruning := sprintf(
	"this %s HelmRelease %s: %sFlux prunes that one, which uninstalls %s%s",
	array.flatten([takes[input.moves.object.alike], full(input.moves.object.from), outcome, loss.replaced(chart.stateful)]),
)

takes := {true: "seems to take the place of", false: "takes the place of"}

default outcome := ["", "the Helm release of both"]

outcome := ["this one is installed from scratch, and ", full(input.moves.target.from)] if input.moves.target

full(name) := sprintf("%s/%s", [name.namespace, name.name])

renamed := "name" if input.moves.object.from.name != input.moves.object.to.name

renamed := "namespace" if input.moves.object.from.name == input.moves.object.to.name

# The fields whose change moves the release. A new target namespace also changes the
# default release name, so then the name is not reported.
moved contains "targetNamespace" if changed("namespace")

moved contains "releaseName" if {
	changed("name")
	not changed("namespace")
}

moved contains "storageNamespace" if changed("storageNamespace")

changed(part) if input.moves.target.from[part] != input.moves.target.to[part]

target(t) := full(t) if not "storageNamespace" in moved

target(t) := sprintf("%s/%s (records in %s)", [t.namespace, t.name, t.storageNamespace]) if "storageNamespace" in moved
