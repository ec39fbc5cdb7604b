package forecast

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Memory keeps timelines, each simulated once: many releases are set alike. It is not safe
// for concurrent use.
type Memory map[foreseen]*Timeline

// Humans keeps in which scenarios a human is needed, by settings. It is not safe for concurrent use.
type Humans map[foreseen][]need

// need says whether a human is needed in a scenario; zero is not known yet.
type need byte

const (
	noHuman need = iota + 1
	aHuman
)

// New names the scenarios in which a human is needed under the settings that a release has now, and was not
// under those that it had.
func (h Humans) New(was, is release.Settings, controller release.Controller) []string {
	var out []string
	before, after := h.of(was, controller), h.of(is, controller)
	for i := range scenarios {
		if needed(after, i, &is, controller) && !needed(before, i, &was, controller) {
			out = append(out, scenarios[i].Name)
		}
	}
	return out
}

// of returns what is known of all settings that are alike: how long something takes does not matter, but whether it
// takes any time.
func (h Humans) of(settings release.Settings, controller release.Controller) []need {
	settings.Target = release.Target{}
	for _, d := range durationsOf(&settings) {
		d.Duration = min(d.Duration, 1)
	}
	key := foreseen{settings: settings, controller: fmt.Sprint(controller)}
	if h[key] == nil {
		h[key] = make([]need, len(scenarios))
	}
	return h[key]
}

// needed reports whether a human is needed in a scenario. An outage ends by the clock, so that nothing is known of it.
func needed(known []need, i int, settings *release.Settings, controller release.Controller) bool {
	s := &scenarios[i]
	if known[i] == 0 || slices.ContainsFunc(s.troubles, func(t trouble) bool { return t.outage }) {
		known[i] = noHuman
		if needsHuman(settings, controller, s) {
			known[i] = aHuman
		}
	}
	return known[i] == aHuman
}

func durationsOf(s *release.Settings) [9]*release.Duration {
	return [...]*release.Duration{
		&s.Interval, &s.Timeout, &s.Install.Timeout, &s.Install.RetryInterval, &s.Upgrade.Timeout,
		&s.Upgrade.RetryInterval, &s.Test.Timeout, &s.Rollback.Timeout, &s.Uninstall.Timeout,
	}
}

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
