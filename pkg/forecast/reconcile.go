package forecast

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// reconciler is helm-controller at work on one release.
type reconciler struct {
	state
	world   world
	clock   clock
	journal journal
}

// reconcile is one reconcile of the object.
func (r *reconciler) reconcile() reconcileResult {
	r.journal.begin()
	o := &r.status
	switch {
	case o.deleted:
		return gone
	case o.deleting:
		return r.reconcileDeletion()
	}
	if !o.finalizer {
		o.finalizer = true
		return mustRequeue
	}
	if r.spec.Suspend {
		o.requests = requests{}
		return settled
	}
	o.markReconciling(reasonProgressing)
	if !r.spec.controller.Does(release.BeginningKeepsReady) {
		o.mark(ready, isUnknown, reasonProgressing)
	}
	if what := r.world.missing(); what != "" {
		return r.unmet(what)
	}
	if r.moved() {
		return r.leave()
	}
	if o.changed(r.spec.desired) || o.requests.reset {
		o.clearFailures()
	}
	o.attemptedGeneration, o.attemptedVersion = o.generation, r.spec.desired
	result := r.cancel(r.reconcileRelease())
	o.requests = requests{} // a request that did not matter is handled, too
	switch result {
	case settled, atInterval, retryAfter, exceeded, missingTarget:
		o.observedGeneration = o.generation
	}
	return result
}

// reconcileRelease runs actions until nothing is left to do, an action would
// be of a kind that ran already, or a remediation ran.
func (r *reconciler) reconcileRelease() reconcileResult {
	var done [kinds]bool
	for {
		r.status.history.sort()
		next := decide(r.spec, r.status, r.storage, r.workload)
		r.status.requests.force = false
		r.adopt(next)
		if next.result != unfinished {
			return next.result
		}
		if done[next.action.kind()] {
			return r.stopBefore()
		}
		if result := r.run(next.action); result != unfinished {
			return result
		}
		if next.action.kind() == remediationKind {
			return r.stopAfterRemediation()
		}
		done[next.action.kind()] = true
	}
}

// adopt writes a decision into the status.
func (r *reconciler) adopt(next decision) {
	r.journal.decided(next.half)
	r.status.history = next.history
	switch next.result {
	case settled:
		r.repair()
	case exceeded:
		r.status.markStalled(reasonRetriesExceeded)
	case missingTarget:
		r.status.markStalled(reasonMissingTarget)
	case inError:
		r.status.mark(ready, isFalse, reasonStateError)
	}
	if next.action == Test {
		r.status.acceptRemediated()
	}
}

// stopBefore ends a reconcile whose next action is of a kind that ran already.
func (r *reconciler) stopBefore() reconcileResult {
	switch {
	case r.spec.retries(&r.status):
		return r.progressing(retryAfter)
	case !r.spec.exhausted(&r.status, r.status.last):
		return r.progressing(mustRequeue)
	}
	r.status.unmark(reconciling)
	return atInterval
}

// stopAfterRemediation ends a reconcile that ran a remediation.
func (r *reconciler) stopAfterRemediation() reconcileResult {
	switch {
	case r.spec.retries(&r.status):
		return r.progressing(retryAfter)
	case !r.spec.exhausted(&r.status, r.status.last) || r.spec.reinstalls(&r.status):
		return r.progressing(mustRequeue)
	}
	r.status.markStalled(reasonRetriesExceeded)
	return exceeded
}

// progressing ends a reconcile that is followed by another attempt.
func (r *reconciler) progressing(result reconcileResult) reconcileResult {
	r.journal.decided(r.status.last)
	if result == retryAfter && !r.spec.controller.Does(release.RetryShowsProgress) {
		r.status.unmark(reconciling)
		r.status.mark(ready, isFalse, reasonRetryAfterInterval)
		return result
	}
	r.status.markReconciling(reasonProgressingWithRetry)
	return result
}

// run runs an action. It returns unfinished if the reconcile can go on. If the
// controller ends meanwhile, what the action changed in the status is lost:
// the status is persisted before and after an action, not during it.
func (r *reconciler) run(action Action) reconcileResult {
	r.announce(action)
	step, found := r.stepOf(action), r.workload
	how := r.world.attempt(r.spec, action, step.Version, r.clock.now)
	timeout, _ := r.spec.waiting(action)
	if how == unhealthy && r.world.inOutage(r.clock.now) && !r.world.inOutage(r.clock.now+timeout) {
		how, r.clock.over = fine, r.world.outage // the outage ends during the wait
	}
	if action == Rollback && r.journal.canceled() {
		how = canceled // its wait is over before it begins
	}
	if how.ends() {
		persisted := r.status.clone()
		r.perform(action, how)
		r.status = persisted
		r.record(step, how, found)
		return died
	}
	how = r.perform(action, how)
	r.record(step, how, found)
	switch {
	case how != unrecorded:
		return unfinished
	case r.spec.retries(&r.status):
		return r.progressing(retryAfter)
	}
	r.journal.decided(r.status.last)
	return inError
}

// announce persists that an action is about to run.
func (r *reconciler) announce(action Action) {
	r.journal.note(func() string { return noteNext(r.journal.last(), action, budgetOf(&r.state, r.journal.decidedBy)) })
	r.status.markReconciling(reasonProgressing)
	if action.kind() == releaseKind {
		r.status.mark(ready, isUnknown, reasonProgressing)
	}
}

// stepOf returns what is known of an action before it runs. An action that
// writes no new record is about the newest one.
func (r *reconciler) stepOf(action Action) Step {
	step := Step{Action: action, Version: r.versionFor(action), Revision: r.storage.lastRevision()}
	step.At.Duration = r.clock.now
	return step
}

// record adds the step to the journal and lets the time pass that it takes. found
// is what ran before it.
func (r *reconciler) record(step Step, how fate, found workload) {
	switch {
	case how.ends():
		step.Result = Killed
	case how.succeeds():
		step.Result = OK
	default:
		step.Result = Fail
	}
	switch {
	case how == unrecorded:
		step.Revision = 0
	case step.Action.kind() == releaseKind || step.Action == Rollback:
		step.Revision = r.storage.lastRevision()
	}
	step.InstallFailures, step.UpgradeFailures = r.status.failures.install, r.status.failures.upgrade
	step.Before, step.canceled = found.running(), how == canceled
	step.Took.Duration = r.clock.took(r.spec, step.Action, how, found)
	r.clock.now += step.Took.Duration
	r.journal.add(step)
}

// unmet ends a reconcile that lacks a prerequisite. The values and the chart, which are an
// error to the controller, are looked for with a backoff. Requests are lost: that the
// annotation was seen is noted, and that it asks for a reset or by force is not
// looked at.
func (r *reconciler) unmet(what prerequisite) reconcileResult {
	o := &r.status
	o.mark(ready, isFalse, what.reason())
	o.requests = requests{}
	switch {
	case what != artifactFound && slices.Contains(erring, what.reason()):
		return inError
	case slices.Contains(final, what):
		o.markStalled(string(what))
		o.observedGeneration = o.generation
		return exceeded
	}
	return waiting
}
