package forecast

import (
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// situation is one that a release may be in, by its status: status does not say all.
type situation struct {
	state
	// assumed says what is taken for granted here and is otherwise in another
	// situation of the same status; empty if the status says all that matters.
	assumed string
	// result is how the last reconcile ended; unfinished means that another one is
	// due or runs.
	result reconcileResult
	// running is the action that runs now; empty if none does.
	running Action
	// backoffs is about how often the queue has put the object back in a row.
	backoffs int
	// troubles are what is wrong if the cause of the last failure stays.
	troubles []trouble
	lacks    prerequisite
	// uninstallSaid is the message of an uninstall that failed.
	uninstallSaid string
}

// situations returns all that a status allows, the likeliest first. If the spec was changed since
// the last attempt, or somebody asks for another look, they are those from before, and what the commit
// may make of each.
func situations(settings *release.Settings, controller release.Controller, live *release.Live) []situation {
	now := situation{state: stateOf(settings, controller, live)}
	now.result = now.lastResult(live)
	attempted, before := live.Status.LastAttemptedGeneration, *live
	before.Requested = false
	committed := !settings.Suspend && now.result != exceeded && attempted != 0 && attempted != live.Generation
	if committed {
		before.Generation = attempted
	}
	var all []situation
	for _, s := range standing(settings, controller, &before) {
		s.status.generation = now.status.generation
		if s.running == "" && (committed || live.Requested) {
			s.result, s.backoffs = now.result, now.requeues()
		}
		if s.running == "" && committed {
			all = append(all, s.committed()...)
		} else {
			all = append(all, s)
		}
	}
	return all
}

// standing returns the situations in which nothing was committed since the last attempt.
func standing(settings *release.Settings, controller release.Controller, live *release.Live) []situation {
	s := situation{state: stateOf(settings, controller, live)}
	s.result = s.lastResult(live)
	s.backoffs = s.requeues()
	s.troubles, s.lacks = s.cause(live)
	s.uninstallSaid = uninstallFailure(live)
	switch {
	case s.runs(live):
		return s.inAction(live)
	case s.uninstallLeft():
		return s.halfUninstalled()
	case s.unrecorded():
		return s.obstacles(live)
	}
	return s.withDeployed()
}

// pending returns how long the object waits for its next reconcile from the end of
// the last one; again is false if it does not.
func (s *situation) pending() (wait time.Duration, again bool) {
	if s.result == unfinished {
		return 0, true
	}
	q := queue{backoffs: s.backoffs}
	wait, again = q.add(s.result, s.spec, &s.status)
	return wait, again && s.result != settled
}

// resume returns a simulation that goes on from here.
func (s *situation) resume(around world, opts Options) *simulation {
	c := simulate(s.state.clone(), around, opts)
	c.queue.backoffs = s.backoffs
	if s.result == mustRequeue || s.result == inError {
		c.queue.backoffs++
	}
	return c
}

// cause returns what keeps going wrong.
func (s *situation) cause(live *release.Live) ([]trouble, prerequisite) {
	o := &s.status
	how := unhealthy
	switch {
	case s.unwritten():
		how = unrecorded
	case refusal(live):
		how = rejected
	}
	var troubles []trouble
	if s.drifts() {
		troubles = append(troubles, always(undone, Correct))
	}
	if r := o.conditions[released]; r.status == isFalse {
		troubles = append(troubles, always(how, releasing...))
	}
	if o.conditions[testSuccess].reason == reasonTestFailed {
		troubles = append(troubles, always(unhealthy, Test))
	}
	switch o.conditions[remediated].reason {
	case reasonRollbackFailed:
		troubles = append(troubles, always(how, Rollback))
	case reasonUninstallFailed:
		troubles = append(troubles, always(rejected, Uninstall))
	}
	if o.conditions[released].reason == reasonUninstallFailed {
		troubles = append(troubles, always(rejected, Uninstall))
	}
	if lacks := lacking(live); lacks != stateReadable || decide(s.spec, s.status, s.storage, s.workload).result != inError {
		return troubles, lacks
	}
	return troubles, ""
}

// unwritten reports whether the last install or upgrade failed before it wrote a record: it is
// tried again without end, and counts nowhere.
func (s *situation) unwritten() bool {
	o := &s.status
	if o.conditions[released].status != isFalse || o.conditions[ready].reason == reasonStateError || o.conditions[released].reason == reasonPendingRelease {
		return false
	}
	left := s.result == inError || s.result == retryAfter
	return left && (len(o.history) == 0 || o.history.latest().status != failed)
}
