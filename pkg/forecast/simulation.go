package forecast

import (
	"iter"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// simulation drives the controller through a scenario.
type simulation struct {
	reconciler
	queue queue
	// rounds counts the reconciles of this controller process, as far as
	// they say whether it goes on for ever.
	rounds int
}

func newSimulation(settings *release.Settings, controller release.Controller, scenario *Scenario, opts Options) *simulation {
	start := installed
	if scenario.fresh {
		start = fresh
	}
	return simulate(start(spec{settings, controller, New}), newWorld(scenario, opts), opts)
}

// simulate prepares a simulation from any state.
func simulate(start state, around world, opts Options) *simulation {
	return &simulation{reconciler: reconciler{state: start, world: around, clock: clock{opts: opts}}}
}

// drive simulates to the end and returns how the last reconcile ended.
func (s *simulation) drive() reconcileResult {
	last := settled
	for result := range s.reconciles() {
		last = result
	}
	return last
}

// maxReconciles ends any run. With the backoff at its longest that is three
// weeks.
const maxReconciles = 2000

// reconciles runs reconciles until the release has settled, or never will. It
// yields the end of each and how long the object then waits.
func (s *simulation) reconciles() iter.Seq2[reconcileResult, time.Duration] {
	return func(yield func(reconcileResult, time.Duration) bool) {
		before := unfinished
		for n := 0; n <= maxReconciles && !s.spec.Suspend; n++ {
			result, wait, again := s.round()
			if !yield(result, wait) {
				return
			}
			if !s.happen(!again) {
				if !again || s.endless(result, before) {
					return
				}
				s.clock.now += wait
			}
			before = result
		}
	}
}

// round runs one reconcile and puts the object back into the queue.
func (s *simulation) round() (result reconcileResult, wait time.Duration, again bool) {
	result = s.reconcile()
	s.rounds++
	if result == died {
		s.rounds = 0
	}
	wait, again = s.queue.add(result, s.spec, &s.status)
	if s.journal.last().kind() == remediationKind && (result == mustRequeue || result == inError) {
		wait += s.clock.cacheWait()
	}
	again = again && result != settled
	s.journal.note(ending{
		result: result, wait: wait, again: again, ran: len(s.journal.ran()) > 0,
		ready: s.status.ready(), budget: budgetOf(&s.state, s.journal.decidedBy),
	}.note())
	return result, wait, again
}

// happen lets the scenario's event happen when it is due, and reports whether
// it wakes the controller.
func (s *simulation) happen(idle bool) (wakes bool) {
	if !s.world.due(s.journal.failed, idle) {
		return false
	}
	wakes = s.world.happen(&s.state)
	s.journal.happened(s.world.event.do, idle && !wakes)
	return wakes
}

// endless reports whether enough has been seen to say that nothing changes any
// more: all retries would have been used up and all outages be over. Where
// retry interval and backoff take turns, it lets the interval be the last.
func (s *simulation) endless(result, before reconcileResult) bool {
	opts := s.clock.opts
	if opts.Rounds > 0 {
		return s.rounds >= opts.Rounds
	}
	if s.world.inOutage(s.clock.now) {
		s.rounds = 0
		return false
	}
	budget := s.retriesOf(Install) + s.retriesOf(Upgrade)
	enough := s.rounds > 2*budget+max(16, opts.maxSteps())
	return enough && (result != mustRequeue || before != retryAfter)
}

// retriesOf returns how often a half retries, within what is simulated.
func (s *simulation) retriesOf(half Action) int {
	return min(max(s.spec.half(half).Retries, 0), maxReconciles)
}

// recovers reports whether the release would become healthy by itself if the
// cause of the failure went away now. It tries that out on a copy.
func (s *simulation) recovers() bool {
	after := simulate(s.state.clone(), world{over: true}, s.clock.opts)
	after.queue = s.queue
	for range 16 {
		result, _, again := after.round()
		if result == settled {
			return after.status.ready() && after.workload.healthy
		}
		if !again {
			return false
		}
	}
	return false
}
