package forecast

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// lastResult reads from the conditions how the last reconcile ended.
func (s *situation) lastResult(live *release.Live) reconcileResult {
	o := &s.status
	reason, doing := o.conditions[ready].reason, o.conditions[reconciling].reason
	switch {
	case s.spec.Suspend && !o.deleting:
		return settled
	case !o.finalizer:
		return unfinished
	case reason == "" && doing == "" && o.last == "":
		return mustRequeue // the finalizer was added
	case o.deleting && o.conditions[released].reason == reasonUninstallFailed:
		return inError
	case o.deleting, live.Requested:
		return unfinished
	case reason == reasonDependencyNotReady, reason == reasonSourceNotReady:
		return waiting
	case lacking(live) == artifactFound:
		return waiting
	case slices.Contains(erring, reason):
		return inError
	case slices.Contains(final, prerequisite(o.conditions[stalled].reason)) && o.observedGeneration == o.generation:
		return exceeded
	case o.attemptedGeneration != o.generation:
		return unfinished
	case o.conditions[stalled].reason == reasonMissingTarget:
		return missingTarget
	case o.conditions[stalled].status == isTrue:
		return exceeded
	case reason == reasonHealthCheckCanceled:
		return mustRequeue
	case doing == reasonProgressingWithRetry, reason == reasonRetryAfterInterval:
		if s.spec.retries(o) {
			return retryAfter
		}
		return mustRequeue
	case doing != "":
		return s.interrupted(live)
	case reason == "":
		return unfinished
	case o.ready(), decide(s.spec, s.status, s.storage, s.workload).result == settled:
		return settled
	}
	return atInterval
}

// remediating are the reasons of Ready after a remediation that went well.
var remediating = []string{reasonRollbackSucceeded, reasonUninstallSucceeded}

// interrupted returns the result of a reconcile that has announced an action, and no
// end. A release action that has failed without a record leaves that, too.
func (s *situation) interrupted(live *release.Live) reconcileResult {
	if slices.Contains(remediating, s.status.conditions[ready].reason) && runningAction(live) == "" {
		return unfinished // what follows a remediation has begun, and is not announced yet
	}
	if s.status.conditions[ready].status == isFalse && (runningAction(live) == "" || runningAction(live).kind() == releaseKind) {
		return inError
	}
	return unfinished
}

// requeues estimates the back-off of the queue. Each failed attempt that another one
// follows is one requeue, and so is the first look at a new object.
func (s *situation) requeues() int {
	o := &s.status
	n := max(o.failures.all, o.failures.install+o.failures.upgrade) - 1
	if o.last == Install && o.observedGeneration <= 0 {
		n++
	}
	return max(n, 0)
}
