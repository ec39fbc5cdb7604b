# METADATA
# title: Classes of recovery
# description: |
#   The law of the project. A release is accepted if it is of class retry or
#   bounded. Every other one needs a human after some failure, but for those of class
#   unknown: a strategy is not known here, and no half that is known violates the law.
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
	_rolls_back(settings.upgrade)
}

of(settings) := "unknown" if {
	not known(settings)
	_install_may_recover(settings.install)
	_upgrade_may_recover(settings.upgrade)
}

# Reports whether it is known what both halves of some settings do on failure.
known(settings) if {
	every half in [settings.install, settings.upgrade] {
		_known(half)
	}
}

_known(half) if half.strategy == "RetryOnFailure"

_known(half) if {
	half.strategy == "RemediateOnFailure"
	half.remediation in {"rollback", "uninstall"}
}

_install_may_recover(half) if not _known(half)

_install_may_recover(half) if _retries(half)

_install_may_recover(half) if within_budget(half)

_upgrade_may_recover(half) if not _known(half)

_upgrade_may_recover(half) if _retries(half)

_upgrade_may_recover(half) if _rolls_back(half)

_rolls_back(half) if {
	within_budget(half)
	half.remediation == "rollback"
	half.remediateLastFailure
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
