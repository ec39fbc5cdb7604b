package forecast

import "github.com/flux-remedy/remedy/pkg/release"

// install makes a first record. If spec.install.replace allows it, it makes the
// next one and takes over the name of a release that failed or was uninstalled.
func (s *state) install(how fate) fate {
	o := &s.status
	o.last, o.history = Install, nil
	o.unmark(testSuccess)
	o.unmark(remediated)
	last := s.storage.last()
	if last != nil && (!s.spec.Install.Replace || last.status != uninstalled && last.status != failed) {
		how = unrecorded // cannot reuse a name that is still in use
	}
	if how == unrecorded {
		s.deployFailed(Install, false)
		return how
	}
	revision := s.storage.lastRevision() + 1
	if last != nil && last.status != failed {
		s.storage.set(last.revision, superseded)
	}
	s.storage.create(record{revision: revision, status: pendingInstall, version: s.spec.desired, lean: s.spec.lean}, 0)
	s.finish(revision, 0, how)
	s.deployed(Install, how)
	return how
}

// upgrade makes the next record, based on the deployed one or, without one, on
// the newest.
func (s *state) upgrade(how fate) fate {
	o := &s.status
	o.last = Upgrade
	o.unmark(testSuccess)
	o.unmark(remediated)
	base := s.upgradeBase()
	if how == unrecorded || base == 0 {
		s.deployFailed(Upgrade, false)
		return unrecorded
	}
	revision := s.storage.lastRevision() + 1
	// Values that are preserved are merged into those of the base.
	lean := s.spec.lean && (!s.spec.Upgrade.PreserveValues || s.storage.get(base).lean)
	s.storage.create(record{revision: revision, status: pendingUpgrade, version: s.spec.desired, lean: lean}, s.spec.MaxHistory)
	s.finish(revision, base, how)
	s.deployed(Upgrade, how)
	return how
}

// upgradeBase returns the revision that an upgrade starts from, zero if Helm
// finds none: "has no deployed releases".
func (s *state) upgradeBase() int {
	if d := s.storage.deployed(); d != nil {
		return d.revision
	}
	if last := s.storage.last(); last != nil && (last.status == failed || last.status == superseded) {
		return last.revision
	}
	return 0
}

// finish applies the version and sets the final status of the new record.
func (s *state) finish(revision, base int, how fate) {
	s.workload.apply(s.spec.desired, how)
	switch how {
	case killed:
		return
	case fine, blind:
		s.storage.set(base, superseded)
		s.storage.set(revision, deployed)
		return
	case targetLost:
		s.storage.delete(base)
	case unhealthy, rejected, canceled:
		s.storage.rewrite(base)
	}
	s.storage.set(revision, failed)
}

// deployed takes over into the status how an install or upgrade went.
func (s *state) deployed(action Action, how fate) {
	o := &s.status
	o.history = o.history.recordRelease(s.storage.written, action)
	if !how.succeeds() {
		s.deployFailed(action, true)
		return
	}
	o.history.sort()
	reason := reasonUpgradeSucceeded
	if action == Install {
		reason = reasonInstallSucceeded
	}
	o.mark(released, isTrue, reason)
	if s.spec.Test.Enable {
		o.mark(testSuccess, isUnknown, reasonAwaitingTests)
	}
	if s.spec.half(action).Strategy == release.RetryOnFailure {
		o.clearFailures()
	}
	s.summarize()
}

// deployFailed marks a failure. It counts only if it left a record.
func (s *state) deployFailed(action Action, recorded bool) {
	o := &s.status
	reason := reasonUpgradeFailed
	if action == Install {
		reason = reasonInstallFailed
	}
	o.failures.all++
	o.mark(released, isFalse, reason)
	if recorded {
		o.countFailure(action)
	}
	s.summarize()
}
