package timeline

import (
	"bufio"
	"fmt"
	"io"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Comparisons is what changes between two states of a tree. Its JSON is read by
// other tools: names stay.
type Comparisons struct {
	APIVersion  string       `json:"apiVersion"`
	Kind        string       `json:"kind" jsonschema:"enum=ForecastComparison"`
	Before      string       `json:"before"` // what is compared, for people
	After       string       `json:"after"`
	Comparisons []Comparison `json:"comparisons"`
}

// Comparison is one release of one cluster in one scenario.
type Comparison struct {
	Release  release.Name `json:"release"`
	Cluster  string       `json:"cluster"`
	Scenario string       `json:"scenario"`
	// Before and After are absent where the release is.
	Before  *forecast.Timeline `json:"before,omitempty"`
	After   *forecast.Timeline `json:"after,omitempty"`
	Changed bool               `json:"changed"`
	// Change says in one sentence what changes.
	Change string `json:"change"`
}

// Compare pairs the forecasts of two states by release, cluster and scenario,
// in the order of the later state; what is gone comes last.
func Compare(before, after []Forecast) []Comparison {
	type key struct {
		release           release.Name
		cluster, scenario string
	}
	keyOf := func(f Forecast) key { return key{f.Release, f.Cluster, f.Scenario} }
	old := map[key]*forecast.Timeline{}
	for i := range before {
		old[keyOf(before[i])] = &before[i].Timeline
	}
	var out []Comparison
	for i := range after {
		k := keyOf(after[i])
		out = append(out, comparison(after[i], old[k], &after[i].Timeline))
		delete(old, k)
	}
	for i := range before {
		if was, gone := old[keyOf(before[i])]; gone {
			out = append(out, comparison(before[i], was, nil))
		}
	}
	return out
}

func comparison(of Forecast, before, after *forecast.Timeline) Comparison {
	c := Comparison{Release: of.Release, Cluster: of.Cluster, Scenario: of.Scenario, Before: before, After: after}
	switch {
	case before == nil:
		c.Changed, c.Change = true, "the release is new: "+after.Outcome.Summary
	case after == nil:
		c.Changed, c.Change = true, "the release is gone; it was: "+before.Outcome.Summary
	case before.Outcome == after.Outcome:
		c.Change = "nothing changes: " + after.Outcome.Summary
	default:
		c.Changed = true
		c.Change = fmt.Sprintf("was %s; now %s", told(before.Outcome), told(after.Outcome))
	}
	return c
}

// told returns an outcome in one breath.
func told(o forecast.Outcome) string {
	text := fmt.Sprintf("%s (%s", brief(o), o.Running)
	if o.NeedsHuman {
		text += ", a human is needed"
	}
	return text + ")"
}

// column is the width of one side of a comparison in a terminal.
const column = 46

// compareText puts the timelines side by side.
func compareText(w io.Writer, all Comparisons, opts Options) error {
	t := &text{Writer: bufio.NewWriter(w), opts: opts}
	unchanged := 0
	for _, c := range all.Comparisons {
		if !c.Changed {
			unchanged++
			continue
		}
		t.linef("%s  %s", t.paint(bold, heading(c.Release, c.Cluster)), c.Scenario)
		t.linef("  %s | %s", t.paint(dim, fit(all.Before, column)), t.paint(dim, all.After))
		left, right := short(c.Before), short(c.After)
		for i := range max(len(left), len(right)) {
			t.linef("  %s | %s", fit(at(left, i), column), at(right, i))
		}
		t.linef("  %s", c.Change)
		t.linef("")
	}
	t.linef("%d of %d forecasts change", len(all.Comparisons)-unchanged, len(all.Comparisons))
	return t.Flush()
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// short returns a line a step without the notes, and the end.
func short(line *forecast.Timeline) []string {
	if line == nil {
		return []string{"          not there"}
	}
	var lines []string
	for _, s := range line.Steps {
		lines = append(lines, fmt.Sprintf("%8s  %-9s %-6s %s", forecast.Readable(s.At.Duration), s.Action, s.Result, revision(s)))
	}
	if line.More > 0 {
		lines = append(lines, "     ...  and so on, without end")
	}
	return append(lines, fmt.Sprintf("%8s  %s", when(line.Outcome), label(line.Outcome)))
}
