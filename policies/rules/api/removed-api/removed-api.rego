# METADATA
# title: An API version that the cluster no longer serves
# description: |
#   HelmRelease `v2beta1` is not served since helm-controller 1.4.0 (Flux 2.7),
#   `v2beta2` not since 1.5.0 (Flux 2.8). There is no conversion in the cluster:
#   what applies the file fails with "no matches for kind", and everything else
#   in the same Flux Kustomization waits for it.
#
#   Nothing is reported where it is not known which helm-controller is running:
#   neither the repository nor `spec.controller.version` says so.
#
#   The fields of failure handling are the same in `v2`, but for `strategy`, which
#   the beta versions never had. `valuesFile`, `patchesStrategicMerge` and
#   `patchesJson6902` have to be written as `valuesFiles` and `patches`.
# related_resources:
# - ref: https://fluxcd.io/flux/migration/
#   description: Migrating Flux APIs
# custom:
#   help: Write apiVersion helm.toolkit.fluxcd.io/v2 and replace the fields that it no longer has.
#   severity: {production: error, staging: warning, development: info}
#   since: 0.1.0
#   blocks: true
#   refuses: true
package remedy.rules.api["removed-api"]

import data.remedy.lib
import data.remedy.lib.api

path := ["apiVersion"]

report contains lib.fixed(path, message, lib.safe([lib.set(path, "helm.toolkit.fluxcd.io/v2")])) if {
	api.removed
	not legacy
}

report contains lib.finding(path, message) if {
	api.removed
	legacy
}

message := sprintf(
	concat("", [
		"helm-controller %s no longer serves %s: applying this release fails with \"no matches for kind HelmRelease\", ",
		"and changes in Git no longer reach the cluster",
	]),
	[input.controller.version, api.version],
)

# Reports whether a field is set that v2 does not have, so that changing apiVersion
# alone would lose it.
legacy if {
	some name in [
		"chart.spec.valuesFile",
		"postRenderers.*.kustomize.patchesStrategicMerge",
		"postRenderers.*.kustomize.patchesJson6902",
	]
	name in api.names
}
