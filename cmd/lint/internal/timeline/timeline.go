// Package timeline shows forecasts: for people in a terminal, in a pull request
// or in a browser, and as JSON for other tools. A format is one file.
package timeline

import (
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/forecast/wave"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// The identity of the JSON documents.
const (
	APIVersion     = rules.ConfigAPIVersion
	Kind           = "Forecast"
	ComparisonKind = "ForecastComparison"
)

// Report is what one run forecasts. Its JSON is read by other tools: names stay.
type Report struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind" jsonschema:"enum=Forecast"`
	Forecasts  []Forecast `json:"forecasts"`
	// Undetermined are the releases whose failure settings are not known.
	Undetermined []Unforeseen `json:"undetermined"`
	// Remarks say how far the forecasts can be relied on, where that is not as usual.
	Remarks []string `json:"remarks,omitempty"`
}

// Forecast is the timeline of one release of one cluster in one scenario.
type Forecast struct {
	Release release.Name `json:"release"`
	// Cluster that applies it; empty if unknown.
	Cluster string `json:"cluster"`
	forecast.Timeline
	// HoldsUp is what stands still meanwhile; absent if the scenario does not begin with a commit, or
	// if nothing is known of what applies the release.
	HoldsUp *wave.Radius `json:"holdsUp,omitempty"`
}

// Unforeseen is a release that cannot be forecast, and why.
type Unforeseen struct {
	Release release.Name `json:"release"`
	Cluster string       `json:"cluster"`
	Reason  string       `json:"reason"`
}

// fate is what a release does in one scenario.
type fate struct {
	Forecast // in a comparison, of the later state; of the earlier where the release is gone
	// Change is nil but in a comparison.
	Change *Comparison
}

// group is what one release of one cluster does.
type group struct {
	Title string
	Fates []fate
}

func (r Report) fates() []fate {
	out := make([]fate, len(r.Forecasts))
	for i, f := range r.Forecasts {
		out[i].Forecast = f
	}
	return out
}

// groups keeps the order; the fates of a release are together.
func groups(all []fate) []group {
	var out []group
	for _, f := range all {
		title := heading(f.Release, f.Cluster)
		if n := len(out); n == 0 || out[n-1].Title != title {
			out = append(out, group{Title: title})
		}
		last := &out[len(out)-1]
		last.Fates = append(last.Fates, f)
	}
	return out
}

func heading(name release.Name, cluster string) string {
	return name.String() + words.InCluster(cluster)
}

func titleOf(scenario string) string {
	found, err := forecast.Find(scenario)
	if err != nil {
		return ""
	}
	return found.Title
}

// label names an end in a few words.
func label(o forecast.Outcome) string {
	switch {
	case o.End == forecast.Ready, o.End == forecast.Deleted:
		return string(o.End)
	case o.End == forecast.Waiting:
		return "Waiting with " + o.Reason + ", again after " + forecast.Readable(o.Every.Duration)
	case o.End == forecast.Retrying && o.Reason == "interval":
		return "Retrying " + forecast.Readable(o.Every.Duration) + " after each failure"
	case o.End == forecast.Retrying:
		return "Retrying up to " + forecast.Readable(o.Every.Duration) + " apart"
	case o.End == forecast.Error:
		return "Error " + o.Reason + ", again up to " + forecast.Readable(o.Every.Duration) + " apart"
	}
	return string(o.End) + " with " + o.Reason
}

// brief names an end and when it comes.
func brief(o forecast.Outcome) string {
	if at := when(o); at != "" {
		return label(o) + " after " + at
	}
	return label(o)
}

// when returns the time of the end; an endless run has none.
func when(o forecast.Outcome) string {
	if o.Every.Duration > 0 {
		return ""
	}
	return forecast.Readable(o.After.Duration)
}

// tone is the class that colours an outcome.
func tone(o forecast.Outcome) string {
	switch {
	case o.NeedsHuman:
		return "bad"
	case o.End == forecast.Ready, o.End == forecast.Deleted:
		return "good"
	}
	return "busy"
}

func lowerFirst(s string) string { return strings.ToLower(s[:min(1, len(s))]) + s[min(1, len(s)):] }

func upperFirst(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] }

// Options say how forecasts are shown, where the format leaves it open.
type Options struct {
	// Color switches terminal colours on, Unicode symbols that are not ASCII.
	Color, Unicode bool
	// Width is that of the terminal in columns; zero wraps no lines.
	Width int
	// Brief shows one line a scenario instead of one a step.
	Brief bool
}

// revives is said before the remedies.
const revives = "once the cause is gone, each of these revives it"

// remedy is ways to revive a release that have the same effect.
type remedy struct {
	Do     []string
	Effect string
}

// remedies keeps the order of the ways.
func remedies(ways []forecast.Way) []remedy {
	var all []remedy
	for _, w := range ways {
		if n := len(all); n == 0 || all[n-1].Effect != w.Effect() {
			all = append(all, remedy{Effect: w.Effect()})
		}
		last := &all[len(all)-1]
		last.Do = append(last.Do, w.Do)
	}
	return all
}
