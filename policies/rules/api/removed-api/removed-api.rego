# METADATA
# title: An API version that the cluster does not serve
# description: |
#   HelmRelease `v2beta1` is not served since helm-controller 1.4.0 (Flux 2.7),
#   `v2beta2` not since 1.5.0 (Flux 2.8), and `v2` only since 1.0.0 (Flux 2.3). There is no conversion in the cluster:
#   what applies the file fails with "no matches for kind", and everything else
#   in the same Flux Kustomization waits for it.
#
#   What is served is what the definition of HelmRelease in the repository says, else the
#   version of helm-controller. Nothing is reported where neither is known: not by the
#   repository, and not by `spec.controller.version`.
#
#   The fields of failure handling are the same in `v2`, but for `strategy`, which
#   the beta versions never had. `valuesFile`, `patchesStrategicMerge` and
#   `patchesJson6902` have to be written as `valuesFiles` and `patches`.
# related_resources:
# - ref: https://fluxcd.io/flux/migration/
#   description: Migrating Flux APIs
# custom:
#   help: Write an API version that the cluster serves, and replace the fields that it does not have.
#   severity: {production: error, staging: warning, development: info}
#   since: 0.1.0
#   blocks: true
#   refuses: true
package remedy.rules.api["removed-api"]

import data.remedy.lib
import data.remedy.lib.api
import data.remedy.lib.fields

path := ["apiVersion"]

report contains lib.fixed(path, message, lib.safe([lib.set(path, "helm.toolkit.fluxcd.io/v2")])) if {
	api.removed
	convertible
}

report contains lib.finding(path, message) if {
	api.removed
	not convertible
}

message := sprintf(
	concat("", [
		"%s %s: applying this release fails with \"no matches for kind HelmRelease\", ",
		"and changes in Git no longer reach the cluster",
	]),
	[lacking, api.version],
)

lacking := sprintf("the HelmRelease definition in %s does not serve", [api.definition]) if {
	api.definition
} else := sprintf("helm-controller %s does not yet serve", [input.controller.version]) if {
	api.coming
} else := sprintf("helm-controller %s no longer serves", [input.controller.version])

# Reports whether the release can be written in v2 by changing apiVersion alone.
convertible if {
	not legacy
	served
}

served if {
	not api.definition
	not api.older_than(fields.served.v2)
}

served if "v2" in input.schema.served

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
