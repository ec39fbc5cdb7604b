package forecast

import "github.com/flux-remedy/remedy/pkg/release"

// Run simulates what the controller does to a release with these settings in a
// scenario. Settings and controller are those that [release.Decode] returns.
func Run(settings release.Settings, controller release.Controller, scenario Scenario, opts Options) Timeline {
	s := newSimulation(&settings, controller, &scenario, opts)
	result := s.drive()
	out := s.outcome(result)
	out.Summary = story{
		Outcome: out, steps: s.journal.steps, event: s.journal.event, late: s.journal.late,
		fresh: scenario.fresh, suspended: settings.Suspend,
	}.sentence()
	all := s.journal.steps
	shown := all[:shownSteps(len(all), out, opts)]
	return Timeline{Scenario: scenario.Name, Steps: shown, More: len(all) - len(shown), Outcome: out}
}

// shownSteps returns how many of all steps the timeline lists.
func shownSteps(all int, out Outcome, opts Options) int {
	if out.endless() && opts.MaxSteps >= 0 {
		return min(all, opts.maxSteps())
	}
	return all
}
