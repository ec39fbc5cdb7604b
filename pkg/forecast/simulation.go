package forecast

import (
	"cmp"
	"time"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// Options are the times and limits of a simulation. The zero value forecasts
// real time.
type Options struct {
	// FailAfter is how long an install or upgrade takes before it fails for
	// lack of health; zero means the effective timeout.
	FailAfter time.Duration
	// SucceedAfter is how long an action takes to succeed; zero means 30s.
	SucceedAfter time.Duration
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

// The delays of the controller's work queue, its flags --min-retry-delay and
// --max-retry-delay.
const (
	minRetryDelay = 750 * time.Millisecond
	maxRetryDelay = 15 * time.Minute
)

// cacheWait is how much longer than the backoff the controller takes after each
// remediation that is followed by another attempt: it waits for its cache, and
// compares times of different precision.
const cacheWait = 10 * time.Second

// maxReconciles ends any run.
const maxReconciles = 20000

// simulation is one release, its controller and what surrounds both.
type simulation struct {
	settings   *rules.Settings
	controller rules.Controller
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
func Run(settings rules.Settings, controller rules.Controller, scenario Scenario, opts Options) Timeline {
	s := newSimulation(&settings, controller, &scenario, opts)
	return s.timeline(s.drive())
}

func newSimulation(settings *rules.Settings, controller rules.Controller, scenario *Scenario, opts Options) *simulation {
	s := &simulation{settings: settings, controller: controller, scenario: scenario, opts: opts}
	s.object.generation = 1
	s.desired = New
	if !scenario.fresh {
		s.setUp()
	}
	s.world.troubles, s.world.used = scenario.troubles, make([]int, len(scenario.troubles))
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
		if !woken && (!again || s.endless() || n >= maxReconciles) {
			return v
		}
		if !woken {
			s.now += wait
		}
	}
}

// requeue gives when the controller reconciles the object again, if at all.
func (s *simulation) requeue(v verdict) (wait time.Duration, again bool) {
	switch v {
	case content, atInterval:
		wait = s.settings.Interval.Duration
	case retryAfter:
		wait = s.active().RetryInterval.Duration
	case mustRequeue, inError:
		return s.backoff(), true
	case died:
		s.backoffs, s.rounds = 0, 0
		return 0, true
	case exceeded, missingTarget:
		return 0, false
	}
	s.backoffs = 0
	return wait, wait > 0
}

func (s *simulation) backoff() time.Duration {
	wait := min(minRetryDelay<<min(s.backoffs, 20), maxRetryDelay)
	s.backoffs++
	if !s.opts.Instant && s.remediates() {
		wait += cacheWait
	}
	return wait
}

// remediates tells whether this reconcile ended with a remediation.
func (s *simulation) remediates() bool {
	n := len(s.steps)
	return n > s.first && s.steps[n-1].Action.kind() == remediationKind
}

// endless tells whether enough has been seen to say that nothing changes any
// more: all retries would have been used up and all outages be over.
func (s *simulation) endless() bool {
	if s.opts.Rounds > 0 {
		return s.rounds >= s.opts.Rounds
	}
	for _, t := range s.world.troubles {
		if s.now < t.until {
			s.rounds = 0
			return false
		}
	}
	budget := max(s.settings.Install.Retries, 0) + max(s.settings.Upgrade.Retries, 0)
	return s.rounds > 2*budget+16
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

// attempt gives the fate of an attempt under the release's settings: nobody
// notices what nobody waits for, and nothing becomes ready in no time.
func (s *simulation) attempt(action Action, version Version) fate {
	if s.world.calm {
		return fine
	}
	how := s.world.fate(action, version, s.now)
	timeout, waits := s.waiting(action)
	switch {
	case !waits && how.ends():
		return fine
	case !waits && (how == unhealthy || how == targetLost):
		return blind
	case waits && timeout <= 0 && how == fine:
		return unhealthy
	}
	return how
}

// waiting gives how long an action waits for health, and whether it does.
func (s *simulation) waiting(action Action) (timeout time.Duration, waits bool) {
	switch action {
	case Install, Upgrade:
		half := s.half(action)
		return half.Timeout.Duration, !half.DisableWait
	case Rollback:
		return s.settings.Rollback.Timeout.Duration, !s.settings.Rollback.DisableWait
	case Uninstall:
		return s.settings.Uninstall.Timeout.Duration, !s.settings.Uninstall.DisableWait
	case Test:
		return s.settings.Test.Timeout.Duration, true
	}
	return 0, false
}

// record adds a step and lets the time pass that it takes. An action that
// writes no new record is about the one of the revision.
func (s *simulation) record(action Action, version Version, revision int, how fate) {
	step := Step{Action: action, Result: Fail, Version: version, Revision: revision}
	step.At.Duration, step.Took.Duration = s.now, s.took(action, how)
	switch {
	case how.ends():
		step.Result = Killed
	case how.succeeds():
		step.Result = OK
	case action.kind() == releaseKind:
		s.failed++
	}
	switch {
	case how == unrecorded:
		step.Revision = 0
	case action.kind() == releaseKind || action == Rollback:
		step.Revision = s.storage.lastRevision()
	}
	step.InstallFailures, step.UpgradeFailures = s.object.installFailures, s.object.upgradeFailures
	s.now += step.Took.Duration
	s.steps = append(s.steps, step)
}

// quick is how long an attempt takes that fails at once, or is not waited for.
const quick = time.Second

// took gives how long an attempt takes.
func (s *simulation) took(action Action, how fate) time.Duration {
	timeout, waits := s.waiting(action)
	if s.opts.FailAfter > 0 && action.kind() == releaseKind {
		timeout = s.opts.FailAfter
	}
	success := cmp.Or(s.opts.SucceedAfter, 30*time.Second)
	switch {
	case s.opts.Instant || action == Unlock:
		return 0
	case !waits || how == rejected || how == unrecorded:
		return quick
	case how == unhealthy && action != Test || how == targetLost:
		return timeout
	case how.ends():
		return timeout / 2
	}
	return min(success, timeout)
}
