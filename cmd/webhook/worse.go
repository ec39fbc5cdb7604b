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
		return scenario.Failing() && forecast.EndingOf(*after.Settings, after.Controller, scenario).
			Worse(forecast.EndingOf(*before.Settings, before.Controller, scenario))
	})
}
