# METADATA
# title: Classes of recovery
# description: |
#   The law of the project. A release is accepted when it is of class retry or
#   of class bounded; every other one has a failure after which it needs a human.
package remedy.lib.class

# The class of the release as the controller resolves it now.
default name := "violating"

name := of(input.effective)

# The class of any settings.
default of(_) := "violating"

of(settings) := "retry" if {
	_retries(settings.install)
	_retries(settings.upgrade)
}

of(settings) := "bounded" if {
	within_budget(settings.install)
	within_budget(settings.upgrade)
	settings.upgrade.remediation == "rollback"
	settings.upgrade.remediateLastFailure
}

_retries(half) if {
	half.strategy == "RetryOnFailure"
	half.retryInterval > 0
}

# Reports whether the failures of a half are remediated, and not too often.
within_budget(half) if {
	half.strategy == "RemediateOnFailure"
	half.retries > 0
	half.retries <= input.law.maxRetries
}
