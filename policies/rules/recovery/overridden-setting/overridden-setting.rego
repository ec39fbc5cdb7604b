# METADATA
# title: A patch replaces what the release writes
# description: |
#   The release says how it is to fail, and a patch that is applied later says
#   otherwise: of an overlay, of the Flux Kustomization that applies it, or of one
#   further out. Nothing tells the author of the release. In one fleet 169 of 170
#   releases with a careful `retries: 0` ran with 2.
#
#   Take one of the two away, or let the patch leave such releases out with a
#   label selector. Only the linter sees this: in the cluster there is no trace of
#   what was written.
# related_resources:
# - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#patches
#   description: Patches of a Flux Kustomization
# custom:
#   help: Remove one of the two, or exclude the release from the patch by a label selector.
#   severity: {production: info, staging: "off", development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
package remedy.rules.recovery["overridden-setting"]

report contains {"path": override.path, "written": true, "message": message(override)} if {
	some override in input.overrides
}

message(override) := sprintf("the release writes %v here, but a patch that is applied later takes it away", [
	override.written,
]) if {
	override.effective == null
} else := sprintf("the release writes %v here, but %v is in force: a patch that is applied later replaces it", [
	override.written, override.effective,
])
