# METADATA
# title: Classes of recovery
# description: |
#   The law of the project. A release is accepted if it is of class retry or
#   bounded. Every other one needs a human after some failure, but for those of class
#   unknown: a strategy is not known here, and no half that is known violates the law.
package remedy.lib.class

# regal ignore:pointless-import
import data.remedy.lib

# The class of the release by its effective settings.
default name := "violating"

name := of({"install": "install", "upgrade": "upgrade"}) if input.effective.install.strategy

# The class that it would have with the gate DefaultToRetryOnFailure turned the other way.
flipped := of({"install": {"flipped": "install"}, "upgrade": {"flipped": "upgrade"}}) if input.flipped.install.strategy

# The class of two halves.
default of(_) := "violating"

of(halves) := "retry" if {
	_retries(halves.install)
	_retries(halves.upgrade)
}

of(halves) := "bounded" if {
	within_budget(halves.install)
	_rolls_back(halves.upgrade)
}

of(halves) := "unknown" if {
	not known(halves)
	_install_may_recover(halves.install)
	_upgrade_may_recover(halves.upgrade)
}

# Reports whether it is known what two halves do on failure.
known(halves) if {
	every half in [halves.install, halves.upgrade] {
		_known(half)
	}
}

_known(half) if lib.retry(half)

_known(half) if {
	lib.remediate(half)
	lib.remediation(half) in {"rollback", "uninstall"}
}

_install_may_recover(half) if not _known(half)

_install_may_recover(half) if _retries(half)

_install_may_recover(half) if within_budget(half)

_upgrade_may_recover(half) if not _known(half)

_upgrade_may_recover(half) if _retries(half)

_upgrade_may_recover(half) if _rolls_back(half)

_rolls_back(half) if {
	within_budget(half)
	lib.remediation(half) == "rollback"
	lib.remediates_last(half)
}

_retries(half) if {
	lib.retry(half)
	lib.retry_interval(half) > 0
}

# Reports whether the failures of a half are remediated, within the law's number of
# retries.
within_budget(half) if {
	lib.remediate(half)
	lib.retries(half) > 0
	lib.retries(half) <= input.law.maxRetries
}
