package report

import (
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
)

// ForecastChange is a scenario that ends otherwise than before.
type ForecastChange struct {
	Scenario string `json:"scenario"`
	// Before and After describe the end in one sentence.
	Before string `json:"before"`
	After  string `json:"after"`
	// Trend is worse if a human is needed only now, better if no longer, else
	// other.
	Trend Trend `json:"trend"`

	was, is *forecast.Timeline
}

// Trend is the direction of a change.
type Trend string

// The trends, from the worst.
const (
	Worse  Trend = "worse"
	Other  Trend = "other"
	Better Trend = "better"
)

var trends = []Trend{Worse, Other, Better}

// forecastChanges simulates every scenario if the settings have changed.
func forecastChanges(before, after *Judged, known forecast.Memory) []ForecastChange {
	changes := []ForecastChange{}
	if before.Settings == nil || after.Settings == nil ||
		reflect.DeepEqual(before.Settings, after.Settings) && reflect.DeepEqual(before.Controller, after.Controller) {
		return changes
	}
	for _, s := range forecast.Scenarios() {
		was, is := known.Run(*before.Settings, before.Controller, s), known.Run(*after.Settings, after.Controller, s)
		if was.Outcome != is.Outcome {
			changes = append(changes, ForecastChange{
				s.Name, was.Outcome.Summary, is.Outcome.Summary, trend(was.Outcome, is.Outcome), was, is,
			})
		}
	}
	return changes
}

func trend(before, after forecast.Outcome) Trend {
	switch {
	case after.NeedsHuman && !before.NeedsHuman:
		return Worse
	case before.NeedsHuman && !after.NeedsHuman:
		return Better
	}
	return Other
}

// inFull chooses the forecasts that are shown in full: those of plain failures or,
// if they end as before, the first of the worst. Rest is a line for each trend of
// the others; it names their scenarios unless these only end otherwise.
func inFull(changes []ForecastChange) (full []ForecastChange, rest []string) {
	for _, c := range changes {
		if c.Scenario == "install-fails" || c.Scenario == "upgrade-fails" {
			full = append(full, c)
		}
	}
	if len(full) == 0 && len(changes) > 0 {
		full = append(full, slices.MinFunc(changes, func(a, b ForecastChange) int {
			return slices.Index(trends, a.Trend) - slices.Index(trends, b.Trend)
		}))
	}
	for _, trend := range trends {
		var names []string
		for _, c := range changes {
			if c.Trend == trend && !slices.Contains(full, c) {
				names = append(names, c.Scenario)
			}
		}
		switch {
		case len(names) == 0:
		case trend == Other:
			rest = append(rest, words.Count(len(names), "more scenario")+ends(len(names)))
		default:
			rest = append(rest, trendWords[trend]+" in "+strings.Join(names, ", "))
		}
	}
	return full, rest
}

func ends(n int) string {
	if n == 1 {
		return " ends differently"
	}
	return " end differently"
}

var trendWords = map[Trend]string{
	Worse: "needs a human now", Better: "no longer needs a human",
}
