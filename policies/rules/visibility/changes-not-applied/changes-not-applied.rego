# METADATA
# title: Changes in Git do not reach the release
# description: |
#   While a Flux Kustomization is suspended, or its source, nothing of it is applied: no commit
#   reaches its releases, nor does a repair. Each Kustomization of the same source that depends
#   on one that is suspended stands still as well, from the next commit on. Nothing of a release
#   is applied either while it carries `kustomize.toolkit.fluxcd.io/reconcile: disabled`.
#
#   The Kustomizations that a suspended one applies go on, with the path, the patches and the
#   variables that they have on the cluster: commits to their folders still reach the releases,
#   commits to the Kustomizations do not.
#
#   While the source of its chart is suspended, a GitRepository, an OCIRepository or a Bucket, a
#   release stays at the chart that it has.
#
#   helm-controller goes on with such a release: it retries and corrects drift. Only the linter
#   reports it: at admission no Kustomizations and sources are known. Of a release that is
#   suspended itself the rule `suspended` says it. What several Kustomizations apply is not judged.
# related_resources:
# - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#suspend
#   description: Suspend of a Kustomization
# - ref: https://fluxcd.io/flux/components/source/gitrepositories/#suspend
#   description: Suspend of a source
# custom:
#   help: Resume what is suspended. If it is to stay so, waive this rule until then.
#   severity: {production: warning, staging: info, development: "off"}
#   since: 0.1.0
package remedy.rules.visibility["changes-not-applied"]

report contains object.union({"path": still.path, "message": message(still)}, of(still.object)) if {
	some still in input.standstills
	not still.open
}

report contains {"open": sprintf("a variable that is not known decides whether %s", [still.why])} if {
	some still in input.standstills
	still.open
}

of("") := {}

of(name) := {"object": name} if name != ""

message(still) := sprintf("no other version of its chart reaches this release: %s", [still.why]) if still.of == "chart"

message(still) := sprintf("commits reach this release at most in part: %s, so a Kustomization that leads to it keeps its path, patches and variables", [still.why]) if still.of == "above"

message(still) := sprintf("no commit reaches this release: %s%s", [still.why, waiting(object.get(still, "waiting", []))]) if still.of == "release"

waiting([]) := ""

waiting(names) := sprintf("; from the next commit on, nothing is applied either of what depends on it (%s)", [concat(", ", names)]) if count(names) > 0
