package forecast

// rollback makes a new record of the version of the previous good snapshot.
func (s *state) rollback(how fate) {
	target, current := s.rollbackTarget(), s.storage.lastRevision()
	s.storage.create(record{revision: current + 1, status: pendingRollback, version: target.version, lean: target.lean}, s.spec.MaxHistory)
	s.workload.apply(target.version, how)
	s.finishRollback(current, how)
	s.status.history = s.status.history.recordRollback(s.storage.written)
	if how.succeeds() {
		s.status.mark(remediated, isTrue, reasonRollbackSucceeded)
	} else {
		s.status.history.sort()
		s.status.failures.all++
		s.status.mark(remediated, isFalse, reasonRollbackFailed)
	}
	s.summarize()
}

// finishRollback sets the final status of the records. current is the revision
// that was rolled back.
func (s *state) finishRollback(current int, how fate) {
	switch how {
	case killed, hookFails:
		return
	case fine, blind:
		s.storage.supersede()
		s.storage.set(current+1, deployed)
		return
	case rejected: // Helm blames the release that was there
		s.storage.set(current, superseded)
	default:
		s.storage.rewrite(current)
	}
	s.storage.set(current+1, failed)
}

// uninstall removes the release as a remediation. It does not summarize: Ready
// keeps the reason of the failure.
func (s *state) uninstall(how fate) {
	s.remove(how)
	if how.succeeds() {
		s.status.mark(remediated, isTrue, reasonUninstallSucceeded)
		return
	}
	s.status.failures.all++
	s.status.mark(remediated, isFalse, reasonUninstallFailed)
}

// remove deletes what runs, and its records.
func (s *state) remove(how fate) {
	current := s.storage.lastRevision()
	s.storage.set(current, uninstalling)
	if !how.ends() && how != rejected {
		s.removeRecords(current)
		s.workload.remove()
	}
	s.status.history.recordUninstall(s.storage.written)
}

func (s *state) removeRecords(current int) {
	if !s.spec.Uninstall.KeepHistory {
		s.storage.purge()
		return
	}
	s.storage.set(current, uninstalled)
	s.storage.supersede()
}
