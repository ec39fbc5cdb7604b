# METADATA
# title: Nobody is notified of failures
# description: |
#   helm-controller sends an event of severity `error` for each failed install, upgrade,
#   rollback, uninstall or test, and notification-controller passes it on to people only
#   if an `Alert` selects the release. No Alert of this cluster does: the release can end
#   Stalled, be rolled back or fail again and again, and nobody is notified.
#
#   An event source without a `namespace` selects objects of the Alert's own namespace
#   only, and there is no wildcard for namespaces: each one has to be listed, or has an
#   Alert of its own. A suspended Alert or Provider sends nothing, nor does an Alert whose
#   Provider does not exist. A Provider that writes commit statuses drops the events of
#   HelmReleases: their revision is no commit. Both values of `eventSeverity` let failures
#   through. An `exclusionList` drops what it matches, and an `inclusionList` what it does
#   not: failures begin with `Helm upgrade failed for release NAMESPACE/NAME`, and what
#   follows is not known before.
#
#   A Kustomization that waits for the release (`wait: true`, or `healthChecks` that name
#   it) fails with it: an Alert on that Kustomization counts, too.
#
#   The finding is at the Alert that comes nearest. It is a warning if that one is about
#   HelmReleases, and one step milder if the Alerts of the cluster are only about other
#   kinds. Nothing is reported for a cluster without any Alert, where Git does not say who
#   is notified, nor if the tree does not hold all that the cluster applies. That is no pass.
#   Only the linter reports it: at admission no Alerts are known.
#
#   A rule of Prometheus or Grafana on the metrics of HelmReleases (`gotk_resource_info` and
#   the like, or what is recorded from them) counts as an Alert if a Kustomization of this
#   cluster applies it and its expression selects the release; the report names it. Three
#   cases are undetermined: a rule in the template of a chart, a label that does not come
#   from Flux, and an Alert that depends on a variable that is not known.
# related_resources:
# - ref: https://fluxcd.io/flux/components/notification/alerts/
#   description: Alerts
# - ref: https://fluxcd.io/flux/monitoring/alerts/
#   description: Set up alerts
# custom:
#   help: Add the release's namespace to the event sources of an Alert.
#   severity: {production: warning, staging: info, development: "off"}
#   since: 0.1.0
#   raise: -1
#   scenario: upgrade-fails
package remedy.rules.visibility["no-alert"]

missed := input.alerting.missed

report contains {"object": sprintf("Alert/%s", [missed.alert]), "path": at[missed.because], "raise": raise, "message": message} if {
	input.alerting.untold
	message := sprintf("no Alert sends its failures: %s", [because[missed.because]])
}

# A variable, or a rule on metrics, decides.
report contains {"open": input.alerting.open}

# Alerts that are only about other kinds may be meant so.
default raise := 0

raise := -1 if missed.because == "kind"

# Where an Alert is to be changed.
at := {
	"suspended": ["spec", "suspend"],
	"provider-suspended": ["spec", "providerRef"],
	"no-provider": ["spec", "providerRef"],
	"commits-only": ["spec", "providerRef"],
	"excluded": ["spec", "exclusionList"],
	"not-included": ["spec", "inclusionList"],
	"locked": ["spec", "eventSources"],
	"labels": ["spec", "eventSources"],
	"name": ["spec", "eventSources"],
	"namespace": ["spec", "eventSources"],
	"kind": ["spec", "eventSources"],
}

because["suspended"] := sprintf("Alert %s is suspended", [missed.alert])

because["provider-suspended"] := sprintf("Provider %s of Alert %s is suspended", [missed.provider, missed.alert])

because["no-provider"] := sprintf("Alert %s names Provider %s, which the cluster does not have", [missed.alert, missed.provider])

because["commits-only"] := sprintf(
	"Provider %s of Alert %s writes to commits and pull requests, and the events of a HelmRelease name none",
	[missed.provider, missed.alert],
)

because["excluded"] := sprintf("the exclusionList of Alert %s drops its failures", [missed.alert])

because["not-included"] := sprintf("the inclusionList of Alert %s drops failures whose message it does not match", [missed.alert])

because["locked"] := sprintf(
	"Alert %s is in another namespace, and notification-controller runs with --no-cross-namespace-refs",
	[missed.alert],
)

because["labels"] := sprintf("Alert %s selects HelmReleases by labels that this one does not have", [missed.alert])

because["name"] := sprintf("Alert %s selects HelmReleases by name, and not this one", [missed.alert])

because["namespace"] := sprintf(
	"Alert %s selects only HelmReleases in %s, and this one is in %s",
	[missed.alert, concat(", ", missed.namespaces), input.object.metadata.namespace],
)

because["kind"] := "the Alerts of the cluster select no HelmReleases"
