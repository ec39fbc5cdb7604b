package forecast

import (
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Health is what a Kustomization that waits makes of a HelmRelease: its status by kstatus.
type Health string

// A release that is tried again is InProgress, one that is Stalled has Failed, and one that is Ready is
// Current.
const (
	Current    Health = "Current"
	InProgress Health = "InProgress"
	Failed     Health = "Failed"
)

// Course is one release in a scenario, to which commits come from outside: [Course.Publish] offers a
// version, and [Course.Health] says what is seen of it. Calls must not go back in time.
type Course struct {
	sim    *simulation
	next   time.Duration // of the next reconcile; negative if there is none
	before reconcileResult
	over   bool // it goes on as it does
	seen   []change
}

// change is what is seen of a release from some time on.
type change struct {
	at     time.Duration
	health Health
}

// NewCourse returns the course of a release in a scenario, before the new version is published: it runs
// the old one, or nothing in a scenario of a first install.
func NewCourse(settings release.Settings, controller release.Controller, scenario Scenario, opts Options) *Course {
	scenario.steady = !scenario.fresh
	c := &Course{sim: newSimulation(&settings, controller, &scenario, opts), next: -1, seen: []change{{0, Current}}}
	if scenario.fresh {
		c.seen[0].health = InProgress
	}
	return c
}

// Publish lets a commit offer a version. A reconcile that runs is ended first.
func (c *Course) Publish(at time.Duration, version Version) {
	c.advance(at)
	if c.sim.status.finalizer {
		c.sim.publish(version)
		c.sim.status.generation++
	} else { // it is created
		c.sim.spec.desired = version
	}
	c.sim.rounds, c.over = 0, false
	c.note(at, InProgress)
	c.next = max(at, c.sim.clock.now)
}

// Health returns what is seen of the release at a time.
func (c *Course) Health(at time.Duration) Health {
	c.advance(at)
	for _, s := range slices.Backward(c.seen) {
		if s.at <= at {
			return s.health
		}
	}
	return c.seen[0].health
}

// Next returns when the health may change next, negative if nothing but a commit changes it.
func (c *Course) Next(after time.Duration) time.Duration {
	c.advance(after)
	for _, s := range c.seen {
		if s.at > after {
			return s.at
		}
	}
	return c.next
}

// advance runs the reconciles that begin up to a time.
func (c *Course) advance(to time.Duration) {
	for c.next >= 0 && c.next <= to {
		c.sim.clock.now = c.next
		c.note(c.next, InProgress)
		result, wait, again := c.sim.round()
		c.note(c.sim.clock.now, healthOf(result, &c.sim.state))
		if c.next, c.over = c.sim.then(result, c.before, wait, again); c.over && !again {
			c.next = -1
		}
		c.before = result
	}
}

// note notes what is seen from a time on.
func (c *Course) note(at time.Duration, h Health) {
	for len(c.seen) > 1 && c.seen[len(c.seen)-1].at >= at {
		c.seen = c.seen[:len(c.seen)-1]
	}
	c.seen = append(c.seen, change{at, h})
}

// healthOf returns what is seen of a release after a reconcile.
// Source: checkGenericProperties of kstatus in fluxcd/cli-utils.
func healthOf(result reconcileResult, s *state) Health {
	switch {
	case result == exceeded || result == missingTarget:
		return Failed
	case result == settled && s.status.ready():
		return Current
	}
	return InProgress
}

// Until returns a scenario in which a new version fails, by the API server or else for lack of health,
// until the cause goes away after a time from the start; negative: it does not.
func Until(fresh, isRefused bool, over time.Duration) (Scenario, Options) {
	how := unhealthy
	if isRefused {
		how = rejected
	}
	if over < 0 {
		over = 1 << 62
	}
	return Scenario{fresh: fresh, troubles: []trouble{{with: releasing, how: how, outage: true}}}, Options{Outage: over, SucceedAfter: time.Second}
}

// Over reports whether from a time on nothing new is seen of the release unless a commit comes: it has settled, or
// goes on without end as it does.
func (c *Course) Over(at time.Duration) bool {
	c.advance(at)
	last := c.seen[len(c.seen)-1]
	return (c.over || c.next < 0) && (last.at <= at || last.health == InProgress)
}

// Commit is an event of a scenario that comes by a commit.
type Commit struct {
	At      time.Duration
	Version Version
}

// committed are the events that a commit brings, and what it makes of the release.
var committed = map[Event]Version{fixed: Fixed, reverted: Old, "fix-fails": BadFix}

// Commits returns when the events of a scenario come that a commit brings, if nothing keeps the release from
// seeing them.
func Commits(settings release.Settings, controller release.Controller, scenario Scenario, opts Options) []Commit {
	if !slices.ContainsFunc(scenario.events, scheduled.committed) {
		return nil
	}
	s := newSimulation(&settings, controller, &scenario, opts)
	s.drive()
	var out []Commit
	for i, e := range s.journal.events {
		if version, ok := committed[scenario.events[i].what]; ok {
			out = append(out, Commit{e.at, version})
		}
	}
	return out
}

func (e scheduled) committed() bool { return committed[e.what] != "" }

// WithoutCommits returns the scenario without the events that a commit brings.
func (s Scenario) WithoutCommits() Scenario {
	s.events = slices.DeleteFunc(slices.Clone(s.events), scheduled.committed)
	return s
}

// Untroubled returns the scenario as it would be if nothing went wrong.
func (s Scenario) Untroubled() Scenario {
	s.troubles, s.events, s.lacks = nil, nil, ""
	return s
}

// Published reports whether the scenario begins with a new version of the release.
func (s Scenario) Published() bool { return !s.steady }

// Installs reports whether nothing of the release was there before.
func (s Scenario) Installs() bool { return s.fresh }
