# The main law of the rules, as a policy for conftest that somebody might write: both
# halves retry, or both remediate a bounded number of times and end with a rollback.
# It sees documents as they are written, without patches, defaults and gates.
package main

import rego.v1

deny contains message if {
	input.kind == "HelmRelease"
	startswith(input.apiVersion, "helm.toolkit.fluxcd.io/")
	not accepted
	message := sprintf("%s/%s needs a human after some failure", [input.metadata.namespace, input.metadata.name])
}

accepted if {
	retries("install")
	retries("upgrade")
}

accepted if {
	bounded("install")
	bounded("upgrade")
	object.get(input.spec.upgrade.remediation, "strategy", "rollback") == "rollback"
	object.get(input.spec.upgrade.remediation, "remediateLastFailure", true) == true
}

retries(half) if {
	input.spec[half].strategy.name == "RetryOnFailure"
	object.get(input.spec[half].strategy, "retryInterval", "5m") != "0s"
}

bounded(half) if {
	object.get(input.spec[half], ["strategy", "name"], "RemediateOnFailure") == "RemediateOnFailure"
	input.spec[half].remediation.retries > 0
	input.spec[half].remediation.retries <= 10
}
