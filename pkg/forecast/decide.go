package forecast

import "github.com/flux-remedy/remedy/pkg/release"

// verdict is how a reconcile of the release ends.
type verdict int

const (
	unfinished    verdict = iota
	content               // nothing is left to do
	atInterval            // no retries remain, but it goes on at the interval
	retryAfter            // again after the retry interval
	mustRequeue           // again after the backoff
	inError               // again after the backoff, for an error
	exceeded              // no retries remain
	missingTarget         // nothing to roll back to
	died                  // the controller itself ended
)

// half gives one half of the failure settings.
func (s *simulation) half(action Action) *release.Half {
	if action == Install {
		return &s.settings.Install
	}
	return &s.settings.Upgrade
}

// active gives the half of the last attempted action; only for use when there
// was one.
func (s *simulation) active() *release.Half { return s.half(s.object.last) }

// retries tells whether a failure of the last attempted action is retried
// instead of remediated.
func (s *simulation) retries() bool {
	return s.object.last != "" && s.active().Strategy == release.RetryOnFailure
}

// exhausted tells whether a half has no retries left, whatever its strategy.
func (s *simulation) exhausted(half Action) bool {
	retries := s.half(half).Retries
	return retries >= 0 && s.object.failureCount(half) > retries
}

// decide gives the next action for a state, or a verdict.
func (s *simulation) decide(st state) (Action, verdict) {
	switch st {
	case inSync:
		return s.decideInSync()
	case locked:
		return Unlock, unfinished
	case absent:
		if s.exhausted(Install) {
			s.decider = Install
			return "", exceeded
		}
		return Install, unfinished
	case unmanaged:
		s.object.history = nil
		return Upgrade, unfinished
	case outOfSync:
		if s.exhausted(Upgrade) {
			s.decider = Upgrade
			return "", exceeded
		}
		return Upgrade, unfinished
	case awaiting:
		s.remediatedIsUpgraded()
		return Test, unfinished
	case inFailure:
		return s.decideFailed()
	}
	s.object.mark(ready, isFalse, reasonStateError)
	return "", inError
}

// decideInSync repairs what the conditions say of an earlier failure.
func (s *simulation) decideInSync() (Action, verdict) {
	o := &s.object
	if s.retries() {
		o.history = o.history.newest()
	} else {
		o.history = o.history.truncate(s.ignoresTests())
	}
	s.remediatedIsUpgraded()
	if !o.ready() || o.conditions[released].status != isTrue {
		switch o.conditions[released].reason {
		case reasonInstallFailed:
			o.mark(released, isTrue, reasonInstallSucceeded)
			s.summarize()
		case reasonUpgradeFailed:
			o.mark(released, isTrue, reasonUpgradeSucceeded)
			s.summarize()
		}
	}
	o.unmark(reconciling)
	s.summarize()
	return "", content
}

// remediatedIsUpgraded: a release that was rolled back to is the desired one
// after all.
func (s *simulation) remediatedIsUpgraded() {
	if s.object.conditions[remediated].status == isTrue {
		s.object.mark(released, isTrue, reasonUpgradeSucceeded)
		s.object.unmark(remediated)
	}
}

// decideFailed chooses between another upgrade, a remediation and giving up.
func (s *simulation) decideFailed() (Action, verdict) {
	o := &s.object
	if s.retries() {
		o.history = o.history.newest()
		return Upgrade, unfinished
	}
	if o.last == "" || o.failureCount(o.last) <= 0 {
		return Upgrade, unfinished
	}
	s.decider = o.last
	if s.exhausted(o.last) && !s.active().RemediateLastFailure {
		return "", exceeded
	}
	o.history = o.history.truncate(s.active().IgnoreTestFailures)
	if s.remediation() == release.Uninstall {
		return Uninstall, unfinished
	}
	return s.decideRollback()
}

func (s *simulation) decideRollback() (Action, verdict) {
	i := s.object.history.previous(s.active().IgnoreTestFailures)
	if i < 0 {
		return "", missingTarget
	}
	target := s.object.history[i]
	if r := s.storage.get(target.revision); r == nil || r.content != target.content {
		return Upgrade, unfinished
	}
	return Rollback, unfinished
}

// remediation gives what the active half does after a failure; an install can
// only be undone.
func (s *simulation) remediation() release.Remediation {
	if s.object.last == Install {
		return release.Uninstall
	}
	return s.active().Remediation
}
