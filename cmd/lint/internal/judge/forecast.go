package judge

import (
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// forecast simulates the scenario that shows a finding; nil if none does.
func (r Release) forecast(f rules.Finding, known forecast.Memory) *forecast.Timeline {
	scenario, err := forecast.Find(f.Scenario)
	if err != nil || !r.KnownSettings() {
		return nil
	}
	line := known.Run(*r.Settings, r.Controller, scenario)
	if deletes := r.Deletes(); line != nil && deletes != "" {
		told := line.Deleting(deletes)
		line = &told
	}
	return line
}
