package forecast

import (
	"cmp"
	"fmt"
	"time"
)

// budget is how much of a half's retries is used.
type budget struct {
	half           Action
	count, retries int
}

// budgetOf returns the budget of the half that decided last, or else of the
// active one.
func budgetOf(s *state, decidedBy Action) budget {
	half := cmp.Or(decidedBy, s.status.last)
	return budget{half, s.status.failureCount(half), s.spec.half(half).Retries}
}

func (b budget) String() string {
	if b.retries < 0 {
		return fmt.Sprintf("%s failure %d of unlimited", b.half, b.count)
	}
	return fmt.Sprintf("%s failure %d of at most %d", b.half, b.count, b.retries+1)
}

// noteNext says of an action why another follows in the same reconcile.
func noteNext(last, next Action, b budget) string {
	switch {
	case last == "":
		return ""
	case next == Test:
		return "deployed, next its tests"
	case next.kind() == remediationKind || last != Unlock:
		return fmt.Sprintf("%s, next the %s", b, next)
	}
	return fmt.Sprintf("unlocked, but .status.history does not know it: forgets all earlier releases, next the %s", next)
}

// ending is how a reconcile ended.
type ending struct {
	result reconcileResult
	wait   time.Duration // before the next reconcile
	again  bool          // there is a next reconcile
	ran    bool          // it ran actions
	ready  bool
	budget budget
	// uninstalled is true if its last action has uninstalled the Helm release, and deleted if that is for the deletion of
	// the HelmRelease.
	uninstalled, deleted bool
}

// note says of the last action what the controller does after the reconcile.
func (e ending) note() string {
	switch {
	case e.result == exceeded:
		return fmt.Sprintf("Stalled: %s, %s", reasonRetriesExceeded, e.budget)
	case e.result == missingTarget:
		return fmt.Sprintf("Stalled: %s, .status.history holds no earlier good release", reasonMissingTarget)
	case !e.ran:
		return ""
	case e.result == died:
		return "what the controller knew of this attempt is lost; it starts again"
	case e.result == inError:
		return "no record written, so it does not count; again in " + Readable(e.wait)
	case e.uninstalled && e.deleted && !e.again:
		return "the HelmRelease is gone, too"
	case e.uninstalled && e.result == mustRequeue && e.budget.count == 0:
		return "the old Helm release is gone; installed anew in " + Readable(e.wait)
	case e.result == mustRequeue && e.budget.count == 0:
		return "again in " + Readable(e.wait)
	case e.result == mustRequeue:
		return fmt.Sprintf("%s; again in %s", e.budget, Readable(e.wait))
	case e.result == retryAfter && e.again:
		return "RetryOnFailure; again in " + Readable(e.wait)
	case e.result == retryAfter:
		return "RetryOnFailure with a retry interval of zero: never again"
	case e.ready:
		return "Ready"
	case e.again:
		return "no retries left, but not stalled: again at the interval, in " + Readable(e.wait)
	}
	return "not ready, and nothing more is done about it"
}
