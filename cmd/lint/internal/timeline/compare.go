package timeline

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
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
	// Undetermined are the releases whose failure settings are not known in one of the states.
	// They are not among the comparisons.
	Undetermined []Incomparable `json:"undetermined"`
	// Remarks say how far the forecasts can be relied on, where that is not as usual.
	Remarks []string `json:"remarks,omitempty"`
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

// Incomparable is a release that cannot be compared.
type Incomparable struct {
	Release release.Name `json:"release"`
	Cluster string       `json:"cluster"`
	// Before and After say why the settings of that state are not known; absent where they are, or
	// where the release is not there.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// identity is what the forecasts of two states have in common.
type identity struct {
	release           release.Name
	cluster, scenario string // the scenario is empty for a whole release
}

// Compare pairs the forecasts of two states by release, cluster and scenario,
// in the order of the later state; what is gone comes last. Releases of one name in one cluster
// are paired in their order.
func Compare(before, after Report) Comparisons {
	c := Comparisons{
		APIVersion: APIVersion, Kind: ComparisonKind,
		Comparisons: []Comparison{}, Undetermined: incomparable(before.Undetermined, after.Undetermined),
		Remarks: words.Distinct(slices.Concat(before.Remarks, after.Remarks)),
	}
	unknown := map[identity]bool{}
	for _, u := range c.Undetermined {
		unknown[identity{u.Release, u.Cluster, ""}] = true
	}
	old := map[identity][]*forecast.Timeline{}
	for i, f := range before.Forecasts {
		old[f.identity()] = append(old[f.identity()], &before.Forecasts[i].Timeline)
	}
	next := func(of Forecast) *forecast.Timeline {
		lines := old[of.identity()]
		if len(lines) == 0 {
			return nil
		}
		old[of.identity()] = lines[1:]
		return lines[0]
	}
	add := func(of Forecast, before, after *forecast.Timeline) {
		if !unknown[identity{of.Release, of.Cluster, ""}] && !unknown[identity{of.Release, "", ""}] { // of a cluster that is not known
			c.Comparisons = append(c.Comparisons, comparison(of, before, after))
		}
	}
	for i, f := range after.Forecasts {
		add(f, next(f), &after.Forecasts[i].Timeline)
	}
	for _, f := range before.Forecasts {
		if was := next(f); was != nil {
			add(f, was, nil)
		}
	}
	return c
}

func (f Forecast) identity() identity { return identity{f.Release, f.Cluster, f.Scenario} }

// incomparable joins what is undetermined in two states, the later first.
func incomparable(before, after []Unforeseen) []Incomparable {
	at := map[identity]int{}
	out := []Incomparable{}
	find := func(u Unforeseen) *Incomparable {
		key := identity{u.Release, u.Cluster, ""}
		i, seen := at[key]
		if !seen {
			i = len(out)
			at[key], out = i, append(out, Incomparable{Release: u.Release, Cluster: u.Cluster})
		}
		return &out[i]
	}
	for _, u := range after {
		find(u).After = u.Reason
	}
	for _, u := range before {
		find(u).Before = u.Reason
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
		c.Change = fmt.Sprintf("was %s; now %s", full(before.Outcome), full(after.Outcome))
	}
	return c
}

// full names an end, when it comes, what runs then, and whether a human is needed.
func full(o forecast.Outcome) string {
	text := fmt.Sprintf("%s (%s", brief(o), o.Running)
	if o.NeedsHuman {
		text += ", a human is needed"
	}
	return text + ")"
}

// Reason says why a release cannot be compared.
func (u Incomparable) Reason() string {
	switch {
	case u.Before == "":
		return "now: " + u.After
	case u.After == "":
		return "before: " + u.Before
	case u.Before == u.After:
		return "before and now: " + u.After
	}
	return "before: " + u.Before + "; now: " + u.After
}
