package forecast

import (
	"cmp"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Options are the times and limits of a simulation. The zero value forecasts
// real time.
type Options struct {
	// FailAfter is how long an install or upgrade takes before it fails for
	// lack of health; zero means the effective timeout.
	FailAfter time.Duration
	// SucceedAfter is how long an action takes to succeed; zero means 30s.
	SucceedAfter time.Duration
	// Outage is how long the outage in scenarios of one lasts; zero means 10m.
	Outage time.Duration
	// Instant lets actions take no time and leaves out the controller's wait
	// for its own cache: only intervals and backoff remain.
	Instant bool
	// MaxSteps cuts the steps of a run that would go on for ever; zero means
	// 12, negative none. The outcome does not depend on it.
	MaxSteps int
	// Rounds ends the run after that many reconciles of one controller process;
	// zero means when it is clear that it goes on for ever.
	Rounds int
}

// maxSteps gives the limit of the steps, with its default.
func (o Options) maxSteps() int { return cmp.Or(o.MaxSteps, 12) }

// simulation is one release, its controller and what surrounds both.
type simulation struct {
	settings   *release.Settings
	controller release.Controller
	scenario   *Scenario
	opts       Options

	world   world
	storage storage
	object  object
	desired Version

	now      time.Duration
	backoffs int    // rate-limited requeues in a row
	rounds   int    // reconciles of this controller process
	failed   int    // installs and upgrades so far
	happened bool   // the scenario's event
	late     bool   // it happened when nothing was done any more
	decider  Action // the half that decided last
	steps    []Step
	first    int // index of the first step of this reconcile
	// trace, if set, sees the end of each reconcile and the wait after it.
	trace func(verdict, time.Duration)
}

// Run simulates what the controller does to a release with these settings in a
// scenario. Settings and controller are as [rules.Decode] gives them.
func Run(settings release.Settings, controller release.Controller, scenario Scenario, opts Options) Timeline {
	s := newSimulation(&settings, controller, &scenario, opts)
	return s.timeline(s.drive())
}

func newSimulation(settings *release.Settings, controller release.Controller, scenario *Scenario, opts Options) *simulation {
	s := &simulation{settings: settings, controller: controller, scenario: scenario, opts: opts}
	s.object.generation = 1
	s.desired = New
	if !scenario.fresh {
		s.setUp()
	}
	s.world.troubles, s.world.used = scenario.troubles, make([]int, len(scenario.troubles))
	s.world.outage = cmp.Or(opts.Outage, 10*time.Minute)
	return s
}

// setUp installs the old version well.
func (s *simulation) setUp() {
	s.desired, s.world.calm, s.object.finalizer = Old, true, true
	s.reconcile()
	s.desired, s.world.calm = New, false
	s.steps, s.now, s.decider = nil, 0, ""
}

// drive runs reconciles until the release has settled, or will never.
func (s *simulation) drive() verdict {
	if s.settings.Suspend {
		return content
	}
	before := unfinished
	for n := 0; ; n++ {
		s.first = len(s.steps)
		v := s.reconcile()
		s.rounds++
		wait, again := s.requeue(v)
		again = again && v != content
		s.noteEnd(v, wait, again)
		if s.trace != nil {
			s.trace(v, wait)
		}
		woken := s.happen(again)
		if !woken && (!again || s.endless(v, before) || n >= maxReconciles) {
			return v
		}
		before = v
		if !woken {
			s.now += wait
		}
	}
}

// happen lets the scenario's event happen when it is due, and tells whether it
// wakes the controller.
func (s *simulation) happen(again bool) bool {
	e := s.scenario.event
	if e.do == "" || s.happened || again && s.failed < e.afterFailures {
		return false
	}
	s.happened = true
	wakes := s.change(e.do)
	s.late = !again && !wakes
	if len(s.steps) > 0 && !s.late {
		s.note("%s", e.do)
	}
	return wakes
}

func (s *simulation) change(do effect) (wakes bool) {
	switch do {
	case fixPublished:
		s.desired = Fixed
		return true
	case reverted:
		s.desired = Old
		s.object.generation++
		return true
	case causeGone:
		s.world.over = true
	case recordsDeleted:
		s.storage.records = nil
	case newestDeleted:
		if last := s.storage.last(); last != nil {
			s.storage.delete(last.revision)
		}
	}
	return false
}
