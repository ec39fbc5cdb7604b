package repair

import (
	"reflect"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// worsened names a scenario that ends worse for a release than before; empty if none does,
// or if the settings of either are not known.
func worsened(before, after *release.Release) string {
	if before.Settings == nil || after.Settings == nil || reflect.DeepEqual(before.Settings, after.Settings) {
		return ""
	}
	for _, scenario := range forecast.Scenarios() {
		was := forecast.EndingOf(*before.Settings, before.Controller, scenario)
		if forecast.EndingOf(*after.Settings, after.Controller, scenario).Worse(was) {
			return scenario.Name
		}
	}
	return ""
}

// otherwise names a scenario that ends otherwise for a release than before; empty if none
// does, or if the settings of either are not known.
func otherwise(before, after *release.Release) string {
	if before.Settings == nil || after.Settings == nil || reflect.DeepEqual(before.Settings, after.Settings) {
		return ""
	}
	for _, scenario := range forecast.Scenarios() {
		if forecast.EndingOf(*after.Settings, after.Controller, scenario) != forecast.EndingOf(*before.Settings, before.Controller, scenario) {
			return scenario.Name
		}
	}
	return ""
}

// needingHuman names the scenarios that need a human for a release and did not before; none if
// the settings of either are not known.
func needingHuman(before, after *release.Release) []string {
	if before.Settings == nil || after.Settings == nil || reflect.DeepEqual(before.Settings, after.Settings) {
		return nil
	}
	needs := func(r *release.Release, s forecast.Scenario) bool {
		return forecast.Run(*r.Settings, r.Controller, s, forecast.Options{}).Outcome.NeedsHuman
	}
	var out []string
	for _, scenario := range forecast.Scenarios() {
		if needs(after, scenario) && !needs(before, scenario) {
			out = append(out, scenario.Name)
		}
	}
	return out
}
