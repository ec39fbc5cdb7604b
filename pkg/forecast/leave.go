package forecast

// moved reports whether the release is wanted under another name or in another
// namespace than it was installed. A release that status does not know of is left
// where it is.
func (r *reconciler) moved() bool {
	if len(r.status.history) == 0 && r.status.place != r.spec.place {
		r.status.place, r.storage.records = r.spec.place, nil
	}
	return r.status.place != r.spec.place
}

// leave uninstalls the release where it was, to install it where it is wanted. It
// is no remediation, and does not count.
func (r *reconciler) leave() reconcileResult {
	if result := r.withdraw(); result != unfinished {
		return result
	}
	o := &r.status
	o.place, o.history = r.spec.place, nil
	r.storage.records = nil
	o.clearFailures()
	return mustRequeue
}

// reconcileDeletion uninstalls the release and lets the object go. A suspended
// release stays, and so does one that status does not know of.
func (r *reconciler) reconcileDeletion() reconcileResult {
	o := &r.status
	if !r.spec.Suspend && len(o.history) > 0 {
		if result := r.withdraw(); result != unfinished {
			return result
		}
		o.history = nil
	}
	o.deleted = true
	return gone
}

// withdraw uninstalls the release. One that Helm does not know is taken to be
// uninstalled.
func (r *reconciler) withdraw() reconcileResult {
	how := fine
	if len(r.storage.records) > 0 {
		step, found := r.stepOf(Uninstall), r.workload
		how = r.world.attempt(r.spec, Uninstall, step.Version, r.clock.now)
		r.storage.begin()
		r.remove(how)
		r.record(step, how, found)
	}
	if how.ends() {
		return died
	}
	reason := reasonUninstallSucceeded
	if !how.succeeds() {
		reason = reasonUninstallFailed
		r.status.failures.all++
	}
	r.status.mark(released, isFalse, reason)
	r.summarize()
	if !how.succeeds() {
		return inError
	}
	return unfinished
}
