package forecast

import (
	"iter"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// simulation drives the controller through a scenario.
type simulation struct {
	reconciler
	queue  queue
	events []scheduled // that have not happened yet
	// rounds counts the reconciles of this controller process, as far as
	// they say whether it goes on for ever.
	rounds int
}

func newSimulation(settings *release.Settings, controller release.Controller, scenario *Scenario, opts Options) *simulation {
	wanted := spec{Settings: settings, controller: controller, desired: New}
	var start state
	switch {
	case scenario.fresh:
		start = fresh(wanted)
	case scenario.steady:
		wanted.desired = Old
		fallthrough
	default:
		start = installed(wanted)
	}
	s := simulate(start, newWorld(scenario, opts), opts)
	s.events = scenario.events
	return s
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
		for n := 0; n <= maxReconciles; n++ {
			result, wait, again := s.round()
			if !yield(result, wait) {
				return
			}
			next, over := s.then(result, before, wait, again)
			if over {
				return
			}
			s.clock.now, before = next, result
		}
	}
}

// then lets happen what happens after a reconcile. It returns the time of the next one, and reports
// whether there is nothing more to see: none comes, or all that come are like this one.
func (s *simulation) then(result, before reconcileResult, wait time.Duration, again bool) (next time.Duration, over bool) {
	endless := again && s.endless(result, before)
	happened, woken := s.happen(result, !again, endless)
	switch {
	case woken:
		return s.clock.now, false
	case !again && happened && s.looksAgain(result):
		return s.clock.now + wait, false
	}
	return s.clock.now + wait, !again || endless && !happened
}

// round runs one reconcile and puts the object back into the queue.
func (s *simulation) round() (result reconcileResult, wait time.Duration, again bool) {
	result = s.reconcile()
	s.rounds++
	if result == died {
		s.rounds = 0
	}
	wait, again = s.queue.add(result, s.spec, &s.status)
	held := s.held(result)
	s.clock.now += held
	again = again && result != settled
	s.journal.note(ending{
		result: result, wait: held + wait, again: again, ran: len(s.journal.ran()) > 0,
		ready: s.status.ready(), budget: budgetOf(&s.state, s.journal.decidedBy),
		uninstalled: s.journal.uninstalled(), deleted: s.status.deleted,
	}.note)
	return result, wait, again
}

// looksAgain reports whether the controller looks at a settled release at its
// interval and finds what the last event has changed.
func (s *simulation) looksAgain(result reconcileResult) bool {
	return result == settled && !s.spec.Suspend && s.spec.Interval.Duration > 0 && s.journal.events[len(s.journal.events)-1].seen == later
}

// held returns how long the controller holds the object after a reconcile that it is to
// repeat at once: it waits until its cache has the .status.history that it has just
// patched. What it wrote in this reconcile has times of nanoseconds, and the cache whole
// seconds, so that it waits in vain. Where the repetition is not at once, or none, the patch of
// observedGeneration rounds the times. Neither a fix nor a request is looked at meanwhile.
func (s *simulation) held(result reconcileResult) time.Duration {
	wrote := slices.ContainsFunc(s.journal.ran(), func(ran Step) bool { return ran.Revision > 0 && ran.Action != Correct })
	if (result == mustRequeue || result == inError) && wrote && len(s.status.history) > 0 {
		return s.clock.cacheWait()
	}
	return 0
}

// happen lets the events happen that are due, up to one that wakes the
// controller.
func (s *simulation) happen(result reconcileResult, idle, endless bool) (happened, woken bool) {
	for len(s.events) > 0 && (idle || endless || s.met() || s.journal.sinceEvent() >= s.patience()) {
		e := s.events[0].what.kind()
		s.events = s.events[1:]
		end := endOf(&s.state, result)
		s.journal.happened(e, Outcome{End: end, Reason: reasonOf(&s.state, end, result), Running: s.workload.running()})
		s.journal.events[len(s.journal.events)-1].at = s.clock.now
		s.let(e)
		happened = true
		if e.seen == atOnce || !idle || s.looksAgain(result) {
			return true, e.seen == atOnce
		}
	}
	return happened, false
}

// met reports whether the action has run that the next event meets.
func (s *simulation) met() bool {
	during := s.events[0].during
	return during != "" && slices.ContainsFunc(s.journal.ran(), func(ran Step) bool { return ran.Action == during })
}

// let lets an event happen.
func (s *simulation) let(e eventKind) {
	if !s.status.deleted {
		e.do(&s.state, &s.world)
	}
	s.world.interrupts = ""
	s.rounds = 0
	if e.name == restarted {
		s.queue = queue{}
	}
}

// patience returns how many failures the next event lets pass: more than are
// followed by another attempt, unless that goes on without end.
func (s *simulation) patience() int {
	if after := s.events[0].after; after > 0 {
		return after
	}
	return s.retriesOf(Install) + s.retriesOf(Upgrade) + 3
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
	after.queue, after.journal.silent = s.queue, true
	for range 16 {
		result, _, again := after.round()
		switch result {
		case gone:
			return true
		case settled:
			return after.status.ready() && after.workload.healthy
		}
		if !again {
			return false
		}
	}
	return false
}
