package report

import (
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// What is left of a finding that is gone is set aside only if that one covered it, was as bad and
// counted, and nothing else gets worse.
func TestRemain(t *testing.T) {
	rule := func(id string) (rules.Rule, bool) {
		return map[string]rules.Rule{"whole": {ID: "whole", Relations: rules.Relations{Leaves: []string{"part"}}}, "part": {ID: "part"}, "info": {ID: "info", Relations: rules.Relations{Accepted: true}}}[id], true
	}
	worse := func(c *Change, _, _ *Judged) { c.Forecasts = []ForecastChange{{Scenario: "s", Trend: Worse}} }
	for name, tc := range map[string]struct {
		lost, gained string
		but          func(c *Change, was, is *Judged)
		want         string // what it was
	}{
		"covered":                  {lost: "error whole spec.install", gained: "error part spec.install", want: "whole"},
		"not covered":              {lost: "error part spec.install", gained: "error whole spec.install"},
		"the old one was milder":   {lost: "warning whole spec.install", gained: "error part spec.install"},
		"the old one was waived":   {lost: "error whole spec.install waived", gained: "error part spec.install"},
		"the new one is waived":    {lost: "error whole spec.install", gained: "error part spec.install waived"},
		"a scenario ends worse":    {lost: "error whole spec.install", gained: "error part spec.install", but: worse},
		"the tier changes":         {lost: "error whole spec.install", gained: "error part spec.install", but: func(_ *Change, was, _ *Judged) { was.Tier = release.Staging }},
		"it was there, milder":     {lost: "error whole spec.install", gained: "error part spec.install", but: func(c *Change, _, _ *Judged) { c.Gained[0].Was = "warning" }},
		"hidden by the class":      {lost: "error whole spec.install", gained: "info info spec.upgrade", want: Violating},
		"of a class that was good": {lost: "error whole spec.install", gained: "info info spec.upgrade", but: func(_ *Change, was, _ *Judged) { was.Class = rules.ClassRetry }},
		"of a field that changed":  {lost: "error whole spec.install", gained: "info info spec.upgrade", but: func(_ *Change, _, is *Judged) { is.Spec = map[string]any{"upgrade": "x"} }},
		"worse than what is gone":  {lost: "info whole spec.install", gained: "warning info spec.upgrade"},
	} {
		t.Run(name, func(t *testing.T) {
			was, is := releaseWith("a", tc.lost), releaseWith("a", tc.gained)
			was.Spec, is.Spec = map[string]any{}, map[string]any{}
			for _, j := range []*Judged{&was, &is} {
				j.Findings[0].Steps = release.Path{"spec", j.Findings[0].Path[len("spec."):]}
			}
			c := Change{Lost: was.Findings, Gained: is.Findings}
			if tc.but != nil {
				tc.but(&c, &was, &is)
			}
			pair{before: &was, after: &is}.remain(&c, rule)
			got := ""
			for _, f := range c.Remaining {
				got = f.Was
			}
			if got != tc.want || len(c.Gained)+len(c.Remaining) != 1 {
				t.Errorf("remains of %q, want %q; gained %v", got, tc.want, c.Gained)
			}
		})
	}
}

// A rule that could not be checked on one side says nothing of the other: its finding is not
// gone, nor new without a word.
func TestOpen(t *testing.T) {
	found, open := releaseWith("a", "error r p"), releaseWith("a")
	open.Open = []string{"r"}
	if d := diffOf([]Judged{open}, []Judged{found}); d.Summary.Errors != 1 || d.Summary.Unjudged != 1 {
		t.Errorf("could not be checked before: %+v", d.Summary)
	}
	if d := diffOf([]Judged{found}, []Judged{open}); d.Summary.Lost != 0 {
		t.Errorf("cannot be checked now: %+v", d.Summary)
	}
}
