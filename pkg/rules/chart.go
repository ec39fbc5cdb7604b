package rules

import "github.com/flux-remedy/remedy/pkg/release"

// Lists reports whether law.statefulCharts lists a chart in a tier, by the text of its field.
func (e *Engine) Lists(tier release.Tier, chart string) bool {
	limits, err := e.limitsOf(tier)
	return err == nil && limits.stateful[release.LastElement(chart)]
}
