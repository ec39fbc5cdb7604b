package main

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// worse reports whether some scenario of the forecast in which it fails ends worse for
// a release than for the one that it replaces. The settings of both must be known.
func worse(before, after *release.Release) bool {
	return slices.ContainsFunc(forecast.Scenarios(), func(scenario forecast.Scenario) bool {
		return scenario.Failing() && endingOf(after, scenario).worse(endingOf(before, scenario))
	})
}

// ending is how a scenario ends, as far as it can be better or worse.
type ending struct {
	lost  bool // something that ran before was uninstalled, with its data
	stuck bool // Flux gives up, or goes to and fro without end
	runs  int  // what runs in the end; more is better
}

// standings rank what runs in the end. After a failed first install nothing is as good as
// what failed.
var standings = map[forecast.Running]int{
	forecast.Nothing: 0, forecast.FailedNew: 1, forecast.FailedOld: 1, forecast.FailedFixed: 1,
	forecast.OldVersion: 2, forecast.NewVersion: 3, forecast.FixedVersion: 3,
}

func endingOf(r *release.Release, scenario forecast.Scenario) ending {
	timeline := forecast.Run(*r.Settings, r.Controller, scenario, forecast.Options{})
	end := ending{
		stuck: timeline.Outcome.NeedsHuman || timeline.Outcome.Reason == "backoff",
		runs:  standings[timeline.Outcome.Running],
	}
	if len(timeline.Steps) > 0 && timeline.Steps[0].Action == forecast.Install {
		end.runs = max(end.runs, standings[forecast.FailedNew])
	} else {
		end.lost = slices.ContainsFunc(timeline.Steps, func(s forecast.Step) bool { return s.Action == forecast.Uninstall })
	}
	return end
}

// worse reports whether an ending is worse than another: it loses data, or one of the
// others gets worse and none better.
func (e ending) worse(than ending) bool {
	if e.lost != than.lost {
		return e.lost
	}
	stuck, runs := e.stuck && !than.stuck, e.runs < than.runs
	return stuck && e.runs <= than.runs || runs && (e.stuck || !than.stuck)
}
