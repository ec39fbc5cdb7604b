package forecast

import (
	"cmp"
	"time"
)

// attempt gives the fate of an attempt under the release's settings: nobody
// notices what nobody waits for, and nothing becomes ready in no time.
func (s *simulation) attempt(action Action, version Version) fate {
	if s.world.calm {
		return fine
	}
	how := s.world.fate(action, version, s.now)
	timeout, waits := s.waiting(action)
	switch {
	case !waits && how.ends():
		return fine
	case !waits && (how == unhealthy || how == targetLost):
		return blind
	case waits && timeout <= 0 && how == fine:
		return unhealthy
	}
	return how
}

// waiting gives how long an action waits for health, and whether it does.
func (s *simulation) waiting(action Action) (timeout time.Duration, waits bool) {
	switch action {
	case Install, Upgrade:
		half := s.half(action)
		return half.Timeout.Duration, !half.DisableWait
	case Rollback:
		return s.settings.Rollback.Timeout.Duration, !s.settings.Rollback.DisableWait
	case Uninstall:
		return s.settings.Uninstall.Timeout.Duration, !s.settings.Uninstall.DisableWait
	case Test:
		return s.settings.Test.Timeout.Duration, true
	}
	return 0, false
}

// record adds a step and lets the time pass that it takes. An action that
// writes no new record is about the one of the revision.
func (s *simulation) record(action Action, version Version, revision int, how fate) {
	step := Step{Action: action, Result: Fail, Version: version, Revision: revision}
	step.At.Duration, step.Took.Duration = s.now, s.took(action, how)
	switch {
	case how.ends():
		step.Result = Killed
	case how.succeeds():
		step.Result = OK
	case action.kind() == releaseKind:
		s.failed++
	}
	switch {
	case how == unrecorded:
		step.Revision = 0
	case action.kind() == releaseKind || action == Rollback:
		step.Revision = s.storage.lastRevision()
	}
	step.InstallFailures, step.UpgradeFailures = s.object.installFailures, s.object.upgradeFailures
	s.now += step.Took.Duration
	s.steps = append(s.steps, step)
}

// quick is how long an attempt takes that fails at once, or is not waited for.
const quick = time.Second

// took gives how long an attempt takes.
func (s *simulation) took(action Action, how fate) time.Duration {
	timeout, waits := s.waiting(action)
	if s.opts.FailAfter > 0 && action.kind() == releaseKind {
		timeout = s.opts.FailAfter
	}
	success := cmp.Or(s.opts.SucceedAfter, 30*time.Second)
	switch {
	case s.opts.Instant || action == Unlock:
		return 0
	case !waits || how == rejected || how == unrecorded:
		return quick
	case how == unhealthy && action != Test || how == targetLost:
		return timeout
	case how.ends():
		return timeout / 2
	}
	return min(success, timeout)
}
