package forecast

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Ending is how a scenario ends, as far as it can be better or worse.
type Ending struct {
	Lost  bool // something that ran before was uninstalled, with its data
	Stuck bool // Flux gives up, or goes to and fro without end
	Runs  int  // what runs in the end; more is better
}

// standings rank what runs in the end. After a failed first install nothing is as good as
// what failed.
var standings = map[Running]int{
	Nothing: 0, FailedNew: 1, FailedOld: 1, FailedFixed: 1,
	OldVersion: 2, NewVersion: 3, FixedVersion: 3,
}

// EndingOf returns how a scenario ends under the settings of a release.
func EndingOf(settings release.Settings, controller release.Controller, scenario Scenario) Ending {
	timeline := Run(settings, controller, scenario, Options{})
	end := Ending{
		Stuck: timeline.Outcome.NeedsHuman || timeline.Outcome.Reason == "backoff",
		Runs:  standings[timeline.Outcome.Running],
	}
	if len(timeline.Steps) > 0 && timeline.Steps[0].Action == Install {
		end.Runs = max(end.Runs, standings[FailedNew])
	} else {
		end.Lost = slices.ContainsFunc(timeline.Steps, func(s Step) bool { return s.Action == Uninstall })
	}
	return end
}

// Worse reports whether an ending is worse than another: it loses data, or one of the
// others gets worse and none better.
func (e Ending) Worse(than Ending) bool {
	if e.Lost != than.Lost {
		return e.Lost
	}
	stuck, runs := e.Stuck && !than.Stuck, e.Runs < than.Runs
	return stuck && e.Runs <= than.Runs || runs && (e.Stuck || !than.Stuck)
}
