package forecast

import "slices"

// Scenario is a situation that a release gets into.
type Scenario struct {
	// Name is stable: kebab case, unique.
	Name string
	// Title says it in a few words, Description in one sentence.
	Title, Description string

	// fresh starts with a HelmRelease that was never installed; otherwise the
	// old version runs well and the new one has just been published.
	fresh bool
	// steady starts with the old version that runs well, and nothing new.
	steady   bool
	lacks    prerequisite
	troubles []trouble
	events   []scheduled
}

// Failing reports whether something goes wrong with the release in the scenario, as
// against what its owner does to it.
func (s *Scenario) Failing() bool { return !s.steady }

// fate is what happens to an attempt, before the release's settings have their say.
type fate string

const (
	// fine: it goes well.
	fine fate = ""
	// unhealthy: what is applied does not become ready in time; a deletion does
	// not finish; a test fails.
	unhealthy fate = "unhealthy"
	// rejected: the API server refuses what is applied or deleted, at once.
	rejected fate = "rejected"
	// unrecorded: it fails before Helm writes a record, as by a template error.
	unrecorded fate = "unrecorded"
	// targetLost: as unhealthy, and meanwhile the record of the release that
	// could be rolled back to is deleted.
	targetLost fate = "target lost"
	// killed: the controller dies during the wait, by SIGKILL, for lack of
	// memory or with its node.
	killed fate = "killed"
	// stopped: the controller is stopped during the wait, by SIGTERM as in
	// every update of its own.
	stopped fate = "stopped"
	// blind: it is not healthy, but its health is not waited for.
	blind fate = "blind"
	// hookFails: a hook fails before anything is applied.
	hookFails fate = "hook fails"
	// canceled: it goes on to be healthy or not, but an event ends the wait.
	canceled fate = "canceled"
	// undone: it goes well, and something else undoes it at once.
	undone fate = "undone"
)

func (f fate) succeeds() bool { return f == fine || f == blind || f == undone }

// ends reports whether the controller ends with the attempt.
func (f fate) ends() bool { return f == killed || f == stopped }

// trouble is what is wrong in the world.
type trouble struct {
	with []Action
	how  fate
	// times limits it to the first attempts; zero is no limit. An outage is
	// limited by time, [Options.Outage].
	times  int
	outage bool
	// every is true if it does not depend on the version.
	every bool
}

var releasing = []Action{Install, Upgrade}

// hits reports whether the trouble concerns an attempt. An install, upgrade or
// test is in trouble only for a bad version, and so is a rollback to it.
func (t *trouble) hits(action Action, version Version) bool {
	bad := version == New || version == BadFix
	if action == Rollback && bad {
		return slices.Contains(t.with, Rollback) || slices.Contains(t.with, Upgrade)
	}
	aboutVersion := action == Install || action == Upgrade || action == Test
	return slices.Contains(t.with, action) && (bad || t.every || !aboutVersion)
}

// scheduled is an event of a scenario.
type scheduled struct {
	what Event
	// after is the number of failed installs and upgrades since the event before,
	// after which it happens, at the latest when nothing happens any more. Zero:
	// only then.
	after int
	// during is an action: it happens while the first one waits for health. Unless
	// that wait is canceled for it, it is looked at only after the reconcile.
	during Action
}

// interrupts returns the action that an event meets, empty if none does.
func (s *Scenario) interrupts() Action {
	if len(s.events) == 0 {
		return ""
	}
	return s.events[0].during
}
