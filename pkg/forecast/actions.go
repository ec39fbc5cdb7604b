package forecast

import "github.com/flux-remedy/remedy/pkg/release"

// install makes a first record, or the next one if spec.install.replace allows
// to take over the name of one that failed or was uninstalled. It gives the
// fate that the attempt really has.
func (s *simulation) install(how fate) fate {
	o := &s.object
	o.last, o.history = Install, nil
	o.unmark(testSuccess)
	o.unmark(remediated)
	revision := 1
	if last := s.storage.last(); last != nil {
		if !s.settings.Install.Replace || last.status != uninstalled && last.status != failed {
			how = unrecorded // cannot reuse a name that is still in use
		}
		revision = last.revision + 1
	}
	if how == unrecorded {
		s.releaseFailed(Install, false)
		return how
	}
	observed := s.observed()
	if last := s.storage.last(); last != nil && last.status != failed {
		s.storage.set(last.revision, superseded)
	}
	s.storage.create(revision, pendingInstall, s.desired, 0)
	s.settle(revision, 0, how)
	s.released(Install, *observed, how)
	return how
}

// upgrade makes the next record, on the base of the deployed one or, without
// one, of the newest. It gives the fate that the attempt really has.
func (s *simulation) upgrade(how fate) fate {
	o := &s.object
	o.last = Upgrade
	o.unmark(testSuccess)
	o.unmark(remediated)
	base := s.upgradeBase()
	if how == unrecorded || base == 0 {
		s.releaseFailed(Upgrade, false)
		return unrecorded
	}
	observed := s.observed()
	revision := s.storage.last().revision + 1
	s.storage.create(revision, pendingUpgrade, s.desired, s.settings.MaxHistory)
	s.settle(revision, base, how)
	s.released(Upgrade, *observed, how)
	return how
}

// upgradeBase gives the revision that an upgrade starts from, zero if Helm
// finds none: "has no deployed releases".
func (s *simulation) upgradeBase() int {
	if d := s.storage.deployed(); d != nil {
		return d.revision
	}
	if last := s.storage.last(); last != nil && (last.status == failed || last.status == superseded) {
		return last.revision
	}
	return 0
}

// observed collects the last state of each record that is written from now on.
func (s *simulation) observed() *[]record {
	var seen []record
	s.storage.observe = func(r record) {
		for i := range seen {
			if seen[i].revision == r.revision {
				seen[i] = r
				return
			}
		}
		seen = append(seen, r)
	}
	return &seen
}

// settle gives the new record of an install or upgrade its status.
func (s *simulation) settle(revision, base int, how fate) {
	s.world.apply(s.desired, how)
	switch how {
	case killed:
		return
	case fine, blind:
		s.storage.set(base, superseded)
		s.storage.set(revision, deployed)
		return
	case targetLost:
		s.storage.delete(base)
	case unhealthy, rejected:
		s.storage.rewrite(base)
	}
	s.storage.set(revision, failed)
}

// released takes over into the object how an install or upgrade went.
func (s *simulation) released(action Action, observed []record, how fate) {
	o := &s.object
	o.history = o.history.recordRelease(observed, action)
	if !how.succeeds() {
		s.releaseFailed(action, true)
		return
	}
	o.history.sort()
	reason := reasonUpgradeSucceeded
	if action == Install {
		reason = reasonInstallSucceeded
	}
	o.mark(released, isTrue, reason)
	if s.settings.Test.Enable {
		o.mark(testSuccess, isUnknown, reasonAwaitingTests)
	}
	if s.half(action).Strategy == release.RetryOnFailure {
		o.clearFailures()
	}
	s.summarize()
}

// releaseFailed marks a failure, which counts only if it left a record.
func (s *simulation) releaseFailed(action Action, recorded bool) {
	o := &s.object
	reason := reasonUpgradeFailed
	if action == Install {
		reason = reasonInstallFailed
	}
	o.failures++
	o.mark(released, isFalse, reason)
	if recorded {
		o.countFailure(action)
	}
	s.summarize()
}

// rollback makes a new record of the version of the previous good snapshot.
func (s *simulation) rollback(how fate) {
	o := &s.object
	target := o.history[o.history.previous(s.settings.Upgrade.IgnoreTestFailures)]
	s.storage.observe = func(r record) { o.history = o.history.recordRollback(r) }
	current := s.storage.last().revision
	s.storage.create(current+1, pendingRollback, target.version, s.settings.MaxHistory)
	s.world.apply(target.version, how)
	switch how {
	case killed:
		return
	case fine, blind:
		for d := s.storage.deployed(); d != nil; d = s.storage.deployed() {
			s.storage.set(d.revision, superseded)
		}
		s.storage.set(current+1, deployed)
		o.mark(remediated, isTrue, reasonRollbackSucceeded)
		s.summarize()
		return
	case rejected: // Helm blames the release that was there
		s.storage.set(current, superseded)
	default:
		s.storage.rewrite(current)
	}
	s.storage.set(current+1, failed)
	o.history.sort()
	o.failures++
	o.mark(remediated, isFalse, reasonRollbackFailed)
	s.summarize()
}

// uninstall removes the release. It does not summarize: Ready keeps the reason
// of the failure.
func (s *simulation) uninstall(how fate) {
	o := &s.object
	s.storage.observe = func(r record) {
		if snap := o.history.find(r.revision); snap != nil {
			snap.refresh(r, uninstallRemediation)
		}
	}
	current := s.storage.last().revision
	s.storage.set(current, uninstalling)
	if how == killed || how == stopped {
		return
	}
	if how != rejected {
		s.removeRecords(current)
		s.world.remove()
	}
	if how.succeeds() {
		o.mark(remediated, isTrue, reasonUninstallSucceeded)
		return
	}
	o.failures++
	o.mark(remediated, isFalse, reasonUninstallFailed)
}

func (s *simulation) removeRecords(current int) {
	if !s.settings.Uninstall.KeepHistory {
		s.storage.purge()
		return
	}
	s.storage.set(current, uninstalled)
	for d := s.storage.deployed(); d != nil; d = s.storage.deployed() {
		s.storage.set(d.revision, superseded)
	}
}

// unlock marks a pending record as failed. The object learns of it only if it
// knows the revision.
func (s *simulation) unlock() {
	o := &s.object
	s.storage.observe = func(r record) {
		if snap := o.history.find(r.revision); snap != nil {
			snap.refresh(r, snap.action)
			snap.tests = untested
		}
	}
	s.storage.set(s.storage.last().revision, failed)
	o.mark(released, isFalse, reasonPendingRelease)
	s.summarize()
}

// test runs the Helm tests of the release; their result is no part of the
// record's digest. A chart without tests passes.
func (s *simulation) test(how fate) {
	o := &s.object
	latest := o.history.latest()
	if how == fine {
		latest.tests = passed
		o.mark(testSuccess, isTrue, reasonTestSucceeded)
		s.summarize()
		return
	}
	latest.tests = testsFailed
	o.failures++
	o.mark(testSuccess, isFalse, reasonTestFailed)
	if o.last != "" && !s.ignoresTests() {
		o.countFailure(o.last)
	}
	s.summarize()
}
