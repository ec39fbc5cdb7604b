package forecast

import (
	"fmt"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Memory keeps timelines, each simulated once: many releases are set alike. It is not safe
// for concurrent use.
type Memory map[foreseen]*Timeline

// foreseen is all that a timeline depends on.
type foreseen struct {
	scenario   string
	settings   release.Settings
	controller string
}

// Run is [Run] without options. The timeline must not be changed.
func (m Memory) Run(settings release.Settings, controller release.Controller, scenario Scenario) *Timeline {
	settings.Target = release.Target{} // only ways to revive a release name it
	key := foreseen{scenario.Name, settings, fmt.Sprint(controller)}
	if m[key] == nil {
		timeline := Run(settings, controller, scenario, Options{})
		m[key] = &timeline
	}
	return m[key]
}
