# METADATA
# title: Failures in development reach those on call
# description: |
#   An `Alert` sends the failures of this release to a Provider that wakes people
#   (`pagerduty`, `opsgenie`), or to the channel that is notified of failures in production:
#   the same Provider, or one of another cluster with the same address and channel.
#   Sandboxes fail all day, and soon nobody reads that channel any more.
#
#   Give development a Provider with a channel of its own, or leave its namespaces out of
#   the Alert. Only the linter reports it: at admission no Alerts are known.
# related_resources:
# - ref: https://fluxcd.io/flux/components/notification/providers/
#   description: Providers
# custom:
#   help: Give development a Provider and a channel of its own.
#   severity: {production: "off", staging: "off", development: info}
#   since: 0.1.0
package remedy.rules.visibility["noisy-alert"]

report contains {"object": sprintf("Alert/%s", [noisy.alert]), "path": ["spec", "providerRef"], "message": message(noisy)} if {
	some noisy in input.alerting.noise
}

message(noisy) := sprintf(
	"Alert %s sends the failures of a release in development to Provider %s, which wakes people (%s)",
	[noisy.alert, noisy.provider, noisy.type],
) if {
	noisy.pages
} else := sprintf(
	"Alert %s sends the failures of a release in development to Provider %s, which also gets those of production in cluster %q",
	[noisy.alert, noisy.provider, noisy.production],
)
