package rules

import (
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// chartName returns the name of a release's chart: the last element of its path, or the
// name of the chartRef.
func chartName(object map[string]any) string {
	text, _ := at(object, chartPath(object)).(string)
	return lastElement(text)
}

func lastElement(path string) string {
	path = strings.TrimSuffix(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}

var (
	chartInSpec = release.Path{"spec", "chart", "spec", "chart"}
	chartInRef  = release.Path{"spec", "chartRef", "name"}
)

// chartPath returns where the name of a release's chart is written.
func chartPath(object map[string]any) release.Path {
	if _, ok := at(object, chartInSpec).(string); ok {
		return chartInSpec
	}
	return chartInRef
}

// Lists reports whether law.statefulCharts lists a chart in a tier, by the text of its field.
func (e *Engine) Lists(tier release.Tier, chart string) bool {
	limits, err := e.limitsOf(tier)
	return err == nil && limits.stateful[lastElement(chart)]
}
