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
