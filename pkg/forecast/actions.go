package forecast

// kind groups actions: a reconcile runs at most one of each kind.
type kind int

const (
	releaseKind kind = iota
	remediationKind
	testKind
	unlockKind
	driftKind
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
	case Correct:
		return driftKind
	}
	return unlockKind
}

// perform runs an action, which changes status, storage and cluster. It returns
// how the action really went: Helm refuses some before they begin.
func (s *state) perform(action Action, how fate) fate {
	s.storage.begin()
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
	case Correct:
		s.correct(how)
	}
	return how
}

// unlock marks a pending record as failed. The object learns of it only if it
// knows the revision.
func (s *state) unlock() {
	s.storage.set(s.storage.last().revision, failed)
	s.status.history.recordUnlock(s.storage.written)
	s.status.mark(released, isFalse, reasonPendingRelease)
	s.summarize()
}

// correct puts back what was changed on the cluster. It never counts.
func (s *state) correct(how fate) {
	s.status.mark(ready, isUnknown, reasonProgressing)
	s.workload.changed = how != fine
}

// test runs the Helm tests of the release. Their result is no part of the
// record's digest. A chart without tests passes.
func (s *state) test(how fate) {
	o := &s.status
	latest := o.history.latest()
	if how == fine {
		latest.tests = passed
		o.mark(testSuccess, isTrue, reasonTestSucceeded)
		s.summarize()
		return
	}
	latest.tests = testsFailed
	o.failures.all++
	o.mark(testSuccess, isFalse, reasonTestFailed)
	if o.last != "" && !s.spec.ignoresTests(o) {
		o.countFailure(o.last)
	}
	s.summarize()
}
