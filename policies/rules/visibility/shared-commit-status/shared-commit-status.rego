# METADATA
# title: Two Kustomizations report to one commit status
# description: |
#   A Provider of a Git service writes the state of a Kustomization to the commit that it
#   applies, under a name. The default name is `kustomization/NAME/UID`, with the first
#   part of the Provider's UID: it differs between clusters, but has no namespace. So two
#   Kustomizations of one name that report by one Provider overwrite each other. With
#   `spec.commitStatusExpr` the name is what the expression says: one that does not tell
#   clusters apart is the same in all of them. The last one that reports wins, and its
#   success hides the failure of the other.
#
#   Put into the expression what differs: the namespace, and the name of the cluster from
#   `spec.eventMetadata` of the Alert, or `provider.metadata.uid`. Only the linter reports
#   it: at admission no Alerts are known.
# related_resources:
# - ref: https://fluxcd.io/flux/components/notification/providers/#custom-commit-status-messages
#   description: Custom commit status messages
# custom:
#   help: Put the namespace and the cluster into spec.commitStatusExpr.
#   severity: {production: warning, staging: info, development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
package remedy.rules.visibility["shared-commit-status"]

report contains {"object": sprintf("Provider/%s", [shared.provider]), "path": path, "message": message(shared)} if {
	some shared in input.alerting.shared
}

path := ["spec", "commitStatusExpr"]

message(shared) := sprintf(
	"by commitStatusExpr of Provider %s, Kustomization %s reports to the same commit status as %s: a success of that one hides a failure here",
	[shared.provider, shared.kustomization, shared.other],
) if {
	shared.expr
} else := sprintf(
	"by Provider %s, Kustomization %s reports to the same commit status as %s, whose name is equal: a success of that one hides a failure here",
	[shared.provider, shared.kustomization, shared.other],
)
