package forecast

import (
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// spec is what is wanted of a release: its effective settings, the controller
// that follows them, and the version that its source offers.
type spec struct {
	*release.Settings
	controller release.Controller
	desired    Version
	// lean reports whether a value is no longer wanted that the old version has.
	lean bool
	// place counts the changes of the release's name and namespaces.
	place int
}

// half returns spec.install or spec.upgrade.
func (s spec) half(action Action) *release.Half {
	if action == Install {
		return &s.Install
	}
	return &s.Upgrade
}

// active returns the half of the last attempted action. Only for use after
// there was one.
func (s spec) active(o *status) *release.Half { return s.half(o.last) }

// retries reports whether a failure of the last attempted action is retried
// instead of remediated.
func (s spec) retries(o *status) bool {
	return o.last != "" && s.active(o).Strategy == release.RetryOnFailure
}

// exhausted reports whether a half has no retries left, whatever its strategy.
func (s spec) exhausted(o *status, half Action) bool {
	retries := s.half(half).Retries
	return retries >= 0 && o.failureCount(half) > retries
}

// remediation returns what the active half does after a failure. An install is
// always undone by an uninstall.
func (s spec) remediation(o *status) release.Remediation {
	if o.last == Install {
		return release.Uninstall
	}
	return s.active(o).Remediation
}

// reinstalls reports whether an uninstall as remediation is followed by an
// install although no retries are left.
func (s spec) reinstalls(o *status) bool {
	return o.last == Upgrade && s.Upgrade.Remediation == release.Uninstall && s.controller.Does(release.UninstallIsFollowed)
}

// ignoresTests reports whether the active half ignores failed tests.
func (s spec) ignoresTests(o *status) bool {
	if o.last == "" {
		return s.Test.IgnoreFailures
	}
	return s.active(o).IgnoreTestFailures
}

// cancels reports whether an event ends the wait for health. Only the poller of
// the controller can be told to.
func (s spec) cancels() bool {
	return s.controller.Gates.CancelHealthCheckOnNewRevision() && s.WaitStrategy != "legacy"
}

// waiting returns how long an action waits for health, and whether it waits at
// all.
func (s spec) waiting(action Action) (timeout time.Duration, waits bool) {
	switch action {
	case Install, Upgrade:
		half := s.half(action)
		return half.Timeout.Duration, !half.DisableWait
	case Rollback:
		return s.Rollback.Timeout.Duration, !s.Rollback.DisableWait
	case Uninstall:
		return s.Uninstall.Timeout.Duration, !s.Uninstall.DisableWait
	case Test:
		return s.Test.Timeout.Duration, true
	}
	return 0, false
}
