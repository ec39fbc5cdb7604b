package forecast

import "slices"

// canceled reports whether an event has ended a wait in this reconcile.
func (j *journal) canceled() bool {
	return slices.ContainsFunc(j.ran(), func(s Step) bool { return s.canceled })
}

// cancel ends a reconcile in which an event has ended a wait: the object is looked
// at again, whatever its strategy says. The attempt has failed and counts.
func (r *reconciler) cancel(result reconcileResult) reconcileResult {
	if !r.journal.canceled() || result == settled || result == atInterval || result == died {
		return result
	}
	r.status.mark(ready, isFalse, reasonHealthCheckCanceled)
	return mustRequeue
}
