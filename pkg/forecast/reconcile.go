package forecast

import "github.com/flux-remedy/remedy/pkg/release"

// reconcile is one reconcile of the object by the controller.
func (s *simulation) reconcile() verdict {
	o := &s.object
	if !o.finalizer {
		o.finalizer = true
		return mustRequeue
	}
	o.markReconciling(reasonProgressing)
	if o.attemptedGeneration != o.generation || o.attemptedVersion != s.desired {
		o.clearFailures()
	}
	o.attemptedGeneration, o.attemptedVersion = o.generation, s.desired
	v := s.reconcileRelease()
	switch v {
	case content, atInterval, retryAfter, exceeded, missingTarget:
		o.observedGeneration = o.generation
	}
	return v
}

// kind groups actions: a reconcile runs at most one of each kind.
type kind int

const (
	releaseKind kind = iota
	remediationKind
	testKind
	unlockKind
	kinds
)

func (a Action) kind() kind {
	switch a {
	case Install, Upgrade:
		return releaseKind
	case Rollback, Uninstall:
		return remediationKind
	case Test:
		return testKind
	}
	return unlockKind
}

// reconcileRelease runs actions until nothing is left to do, an action would
// be of a kind that ran already, or a remediation ran.
func (s *simulation) reconcileRelease() verdict {
	var done [kinds]bool
	for {
		action, v := s.decide(s.determine())
		switch v {
		case exceeded:
			s.object.markStalled(reasonRetriesExceeded)
		case missingTarget:
			s.object.markStalled(reasonMissingTarget)
		}
		if v != unfinished {
			return v
		}
		if done[action.kind()] {
			return s.stopBefore()
		}
		s.noteNext(action)
		s.object.markReconciling(reasonProgressing)
		if action.kind() == releaseKind {
			s.object.mark(ready, isUnknown, reasonProgressing)
		}
		if v := s.run(action); v != unfinished {
			return v
		}
		if action.kind() == remediationKind {
			return s.stopAfterRemediation()
		}
		done[action.kind()] = true
	}
}

// stopBefore ends a reconcile whose next action is of a kind that ran already.
func (s *simulation) stopBefore() verdict {
	switch {
	case s.retries():
		return s.progressing(retryAfter)
	case !s.exhausted(s.object.last):
		return s.progressing(mustRequeue)
	}
	s.object.unmark(reconciling)
	return atInterval
}

// stopAfterRemediation ends a reconcile that ran a remediation. Before 1.5.0 an
// uninstall after the last failed upgrade was the end too.
func (s *simulation) stopAfterRemediation() verdict {
	reinstalls := s.object.last == Upgrade && s.settings.Upgrade.Remediation == release.Uninstall &&
		s.controller.AtLeast("1.5.0")
	switch {
	case s.retries():
		return s.progressing(retryAfter)
	case !s.exhausted(s.object.last) || reinstalls:
		return s.progressing(mustRequeue)
	}
	s.object.markStalled(reasonRetriesExceeded)
	return exceeded
}

func (s *simulation) progressing(v verdict) verdict {
	s.decider = s.object.last
	s.object.markReconciling(reasonProgressingWithRetry)
	return v
}

// run runs an action. It gives unfinished if the reconcile can go on. If the
// controller ends meanwhile, what the action changed in the object is lost:
// the status is persisted before and after an action, not during it.
func (s *simulation) run(action Action) verdict {
	version, revision := s.versionFor(action), s.storage.lastRevision()
	how := s.attempt(action, version)
	if how.ends() {
		persisted := s.object.clone()
		s.perform(action, how)
		s.object = persisted
		s.record(action, version, revision, how)
		return died
	}
	how = s.perform(action, how)
	s.record(action, version, revision, how)
	switch {
	case how != unrecorded:
		return unfinished
	case s.retries():
		return s.progressing(retryAfter)
	}
	s.decider = s.object.last
	return inError
}

func (s *simulation) perform(action Action, how fate) fate {
	switch action {
	case Install:
		return s.install(how)
	case Upgrade:
		return s.upgrade(how)
	case Rollback:
		s.rollback(how)
	case Uninstall:
		s.uninstall(how)
	case Test:
		s.test(how)
	case Unlock:
		s.unlock()
	}
	return how
}

// versionFor gives the version that an action is about.
func (s *simulation) versionFor(action Action) Version {
	switch action {
	case Install, Upgrade:
		return s.desired
	case Rollback:
		h := s.object.history
		return h[h.previous(s.active().IgnoreTestFailures)].version
	}
	return s.storage.last().version
}

func (s *simulation) summarize() {
	s.object.summarize(s.settings.Test.Enable, s.settings.Test.IgnoreFailures)
}
