package repair

import (
	"reflect"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// worse, otherwise and newHuman compare how a scenario ends for a release before and after.
func worse(was, is *release.Release, s forecast.Scenario) bool {
	return endingOf(is, s).Worse(endingOf(was, s))
}

func otherwise(was, is *release.Release, s forecast.Scenario) bool {
	return endingOf(is, s) != endingOf(was, s)
}

func newHuman(was, is *release.Release, s forecast.Scenario) bool {
	needs := func(r *release.Release) bool {
		return forecast.Run(*r.Settings, r.Controller, s, forecast.Options{}).Outcome.NeedsHuman
	}
	return needs(is) && !needs(was)
}

func endingOf(r *release.Release, s forecast.Scenario) forecast.Ending {
	return forecast.EndingOf(*r.Settings, r.Controller, s)
}

// scenarios names the scenarios of which something is true for a release before and after; none if
// the settings of either are not known.
func scenarios(was, is *release.Release, of func(was, is *release.Release, s forecast.Scenario) bool) []string {
	var out []string
	if was.Settings == nil || is.Settings == nil || reflect.DeepEqual(was.Settings, is.Settings) {
		return nil
	}
	for _, s := range forecast.Scenarios() {
		if of(was, is, s) {
			out = append(out, s.Name)
		}
	}
	return out
}
