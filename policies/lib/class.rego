# METADATA
# title: Classes of recovery
# description: |
#   The law of the project. A release is accepted if it is of class retry or
#   bounded. Every other one needs a human after some failure.
package remedy.lib.class

# The class of the release by its effective settings.
default name := "violating"

name := of(input.effective)

# The class of any settings, in the shape of input.effective.
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

# Reports whether the failures of a half are remediated, within the law's number of
# retries.
within_budget(half) if {
	half.strategy == "RemediateOnFailure"
	half.retries > 0
	half.retries <= input.law.maxRetries
}
