package forecast

import "github.com/flux-remedy/remedy/pkg/release"

// Run simulates what the controller does to a release with these settings in a
// scenario. Settings and controller are those that [release.Decode] returns.
func Run(settings release.Settings, controller release.Controller, scenario Scenario, opts Options) Timeline {
	s := newSimulation(&settings, controller, &scenario, opts)
	line := s.timeline(s.drive(), opts)
	line.Scenario = scenario.Name
	if opts.Revive && line.Outcome.NeedsHuman {
		line.Revive = s.revive(scenario.fresh)
	}
	return line
}

// needsHuman reports whether a scenario ends so that a human is needed, as [Run] says.
func needsHuman(settings *release.Settings, controller release.Controller, scenario *Scenario) bool {
	s := newSimulation(settings, controller, scenario, Options{})
	s.journal.silent = true
	return s.outcome(s.drive()).NeedsHuman
}

// timeline returns what has happened. result is that of the last reconcile.
func (s *simulation) timeline(result reconcileResult, opts Options) Timeline {
	out := s.outcome(result)
	out.Summary = accountOf(s.journal.steps, s.journal.events, out).sentence(out)
	all := append([]Step{}, s.journal.steps...) // never nil, for JSON
	shown := all[:s.journal.shown(out, opts)]
	return Timeline{Steps: shown, More: len(all) - len(shown), Outcome: out}
}

// shown returns how many steps the timeline lists: of an endless run, some after
// the last event.
func (j *journal) shown(out Outcome, opts Options) int {
	if !out.Endless() || opts.MaxSteps < 0 {
		return len(j.steps)
	}
	limit := opts.maxSteps()
	if n := len(j.events); n > 0 {
		limit += j.events[n-1].before
	}
	return min(len(j.steps), limit)
}
