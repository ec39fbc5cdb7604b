package judge

import (
	"fmt"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// forecasts are timelines, each simulated once: many releases are set alike.
type forecasts map[foreseen]*forecast.Timeline

// foreseen is all that a timeline depends on.
type foreseen struct {
	scenario   string
	settings   release.Settings
	controller string
}

// of simulates the scenario that shows a finding; nil if none does. The timeline must not be
// changed.
func (all forecasts) of(r Release, f rules.Finding) *forecast.Timeline {
	scenario, err := forecast.Find(f.Scenario)
	if err != nil || r.Settings == nil || r.UnknownSetting() != nil {
		return nil
	}
	settings := *r.Settings
	settings.Target = release.Target{} // only ways to revive a release name it
	key := foreseen{scenario.Name, settings, fmt.Sprint(r.Controller)}
	if all[key] == nil {
		timeline := forecast.Run(settings, r.Controller, scenario, forecast.Options{})
		all[key] = &timeline
	}
	return all[key]
}
