package repair

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// A change is for a warning of one release; another one stands beside it. What becomes of
// the two decides whether there are objections.
func TestObjections(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yaml")
	writeFile(t, file, []byte(`apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: a-repaired, namespace: apps}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: x}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: beside, namespace: apps}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: x}}
`))
	engine := newEngine(t)
	state := repairerOf(t, engine, &rules.Config{}, file, []string{"safe"}, nil, func(*effective.Release) {}).state
	found := func(rule string, severity rules.Severity, degree float64) rules.Finding {
		return rules.Finding{Rule: rule, Category: "upgrade", Severity: severity, Degree: degree, Path: release.Path{"spec", "upgrade"}, Fix: &rules.Fix{}}
	}
	verdict := func(class rules.Class, found ...rules.Finding) rules.Verdict {
		return rules.Verdict{Class: class, Findings: found}
	}
	unknown := verdict(rules.ClassViolating)
	unknown.Open = make([]rules.Open, 1)
	rule := func(id string) (rules.Rule, bool) {
		if id == "x/to-repair" {
			return rules.Rule{Relations: rules.Relations{Leaves: []string{"x/left-1", "x/left-2"}}}, true
		}
		return engine.Rule(id)
	}
	warning, old := found("x/to-repair", rules.Warning, 0), found("x/old", rules.Warning, 3)
	tests := map[string]struct {
		repaired, beside rules.Verdict // after the change
		waived, better   bool          // beside, before the change
		blocked          string
		number           int    // of releases after the change; 0 for as many as before
		want             string // a part of the objection; empty if there is none
	}{
		"gone":                 {repaired: verdict(rules.ClassViolating), beside: verdict(rules.ClassViolating, old)},
		"still there":          {repaired: verdict(rules.ClassViolating, warning), beside: verdict(rules.ClassViolating, old), want: "still be found"},
		"milder left":          {repaired: verdict(rules.ClassViolating, found("x/new", rules.Info, 0)), beside: verdict(rules.ClassViolating, old)},
		"as bad instead":       {repaired: verdict(rules.ClassViolating, found("x/new", rules.Warning, 0)), beside: verdict(rules.ClassViolating, old), want: "bring x/new to apps/a-repaired"},
		"one left instead":     {repaired: verdict(rules.ClassViolating, found("x/left-1", rules.Warning, 0)), beside: verdict(rules.ClassViolating, old)},
		"two left instead":     {repaired: verdict(rules.ClassViolating, found("x/left-1", rules.Warning, 0), found("x/left-2", rules.Warning, 0)), beside: verdict(rules.ClassViolating, old), want: "apps/a-repaired would have x/left-1 and x/left-2 after it: repair that, too"},
		"an info left, too":    {repaired: verdict(rules.ClassViolating, found("x/left-1", rules.Warning, 0), found("x/new", rules.Info, 0)), beside: verdict(rules.ClassViolating, old)},
		"worse instead":        {repaired: verdict(rules.ClassViolating, found("x/new", rules.Error, 0)), beside: verdict(rules.ClassViolating, old), want: "bring x/new to apps/a-repaired"},
		"milder beside":        {repaired: verdict(rules.ClassViolating), beside: verdict(rules.ClassViolating, old, found("x/new", rules.Info, 0)), want: "bring x/new to apps/beside"},
		"higher degree beside": {repaired: verdict(rules.ClassViolating), beside: verdict(rules.ClassViolating, found("x/old", rules.Warning, 4)), want: "make x/old of apps/beside worse"},
		"severer beside":       {repaired: verdict(rules.ClassViolating), beside: verdict(rules.ClassViolating, found("x/old", rules.Error, 3)), want: "make x/old of apps/beside worse"},
		"lower degree beside":  {repaired: verdict(rules.ClassViolating), beside: verdict(rules.ClassViolating, found("x/old", rules.Warning, 2))},
		"unknown beside":       {repaired: verdict(rules.ClassViolating), beside: unknown, want: "less would be known of apps/beside"},
		"waived beside":        {repaired: verdict(rules.ClassViolating), beside: verdict(rules.ClassViolating), waived: true, want: "apps/beside has a waiver of x/old"},
		"worse end beside":     {repaired: verdict(rules.ClassViolating), beside: verdict(rules.ClassViolating, old), better: true, want: "would end worse for apps/beside"},
		"blocked beside":       {repaired: verdict(rules.ClassViolating), beside: verdict(rules.ClassViolating, old), blocked: "a field", want: "could not apply apps/beside"},
		"one more release":     {repaired: verdict(rules.ClassViolating), beside: verdict(rules.ClassViolating, old), number: 3, want: "which releases there are"},
		"one less release":     {repaired: verdict(rules.ClassViolating), beside: verdict(rules.ClassViolating, old), number: 1, want: "which releases there are"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			before, after := state, state
			before.Releases = []judge.Release{state.Releases[0], state.Releases[1]}
			after.Releases = []judge.Release{state.Releases[0], state.Releases[1]}
			before.Releases[0].Verdict, before.Releases[1].Verdict = verdict(rules.ClassViolating, warning), verdict(rules.ClassViolating, old)
			after.Releases[0].Verdict, after.Releases[1].Verdict = tt.repaired, tt.beside
			if tt.waived {
				before.Releases[1].Verdict.Findings[0].Waiver = &rules.Waiver{Rule: old.Rule, Reason: "known"}
			}
			if tt.better {
				before.Releases[1].Release = state.Releases[1].Edited([]rules.Edit{{Path: release.Path{"spec", "upgrade", "remediation", "retries"}, Value: 3}})
			}
			after.Releases[1].BlockedBy = tt.blocked
			if tt.number > 0 {
				another, of := *state.Releases[1].Release, *state.Releases[1].Release.Release
				another.Release, of.Cluster = &of, "another"
				after.Releases = append(after.Releases, judge.Release{Release: &another})[:tt.number:tt.number]
			}
			plan := []change{{targets: targetsOf(before.Releases[0])}}
			got := newReview(before, after, plan, rule, endings{}).objections()
			switch {
			case tt.want == "" && len(got) > 0:
				t.Errorf("unexpected objection: %s", got[0].why)
			case tt.want != "" && (len(got) == 0 || !strings.Contains(got[0].why, tt.want)):
				t.Errorf("got %v, want %q", got, tt.want)
			}
		})
	}
}

// What can no longer be read or determined is an objection, whoever it is of; that its line
// or reason is another one is none.
func TestLostOfTheTree(t *testing.T) {
	old := release.Undetermined{File: "a.yaml", Line: 3, Cluster: "live", Reason: "line 3"}
	moved, more := old, release.Undetermined{File: "b.yaml", Cluster: "live", Reason: "cannot be built"}
	moved.Line, moved.Reason = 4, "line 4"
	tree := func(problems int, unknown ...release.Undetermined) judge.State {
		return judge.State{Tree: &effective.Tree{Undetermined: unknown, Problems: make([]effective.Problem, problems)}}
	}
	for name, tc := range map[string]struct {
		after judge.State
		want  string
	}{
		"as it was":      {tree(1, old), ""},
		"moved":          {tree(1, moved), ""},
		"known now":      {tree(0), ""},
		"unknown now":    {tree(1, old, more), "after it this would be unknown: cannot be built"},
		"twice":          {tree(1, old, moved), "after it this would be unknown: line 4"},
		"cannot be read": {tree(2, old), "the tree could not be read after it"},
	} {
		t.Run(name, func(t *testing.T) {
			var got string
			for _, o := range newReview(tree(1, old), tc.after, nil, nil, endings{}).objections() {
				got += o.why
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
