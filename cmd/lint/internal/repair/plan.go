package repair

import (
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Plan returns what is repaired and what is left, for reports. Made says whether it is
// written.
func (r *Repairer) Plan(made bool) *report.Plan {
	told := r.told()
	fixed, _ := r.fixed()
	out := &report.Plan{Made: made, Fixed: fixed, Repairs: []report.Repair{}, Left: []report.Unrepaired{}, Checked: r.checked(), Patch: plain.Verbatim(r.Diff())}
	for _, m := range r.made {
		fix := report.Repair{Causes: causes(m.targets), Repairs: repaired(m.targets, true), Also: repaired(m.others, false)}
		for _, e := range m.edits {
			field := release.Path(e.At[len(e.At)-1].Path).String()
			fix.Edits = append(fix.Edits, report.PlannedEdit{File: e.File, Field: field, Value: e.Value})
		}
		fix.Scenario, fix.Before, fix.After = told(m.targets)
		out.Repairs = append(out.Repairs, fix)
	}
	out.Comments = r.lostComments()
	for _, l := range r.Left() {
		at := l.at()
		out.Left = append(out.Left, report.Unrepaired{
			Repaired: repaired([]target{l.target}, true)[0], Severity: l.finding.Severity,
			File: at.File, Line: at.Line, Field: l.cause().Field, Reason: l.reason,
		})
	}
	return out
}

// causes lists what makes findings, each once.
func causes(targets []target) []report.Cause {
	var out []report.Cause
	for _, t := range targets {
		if c := t.cause(); !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// repaired lists findings by rule and release, with their clusters.
func repaired(targets []target, rules bool) []report.Repaired {
	var out []report.Repaired
	for _, t := range targets {
		of := report.Repaired{Release: t.release.String(), Clusters: []string{}}
		if rules {
			of.Rule = t.finding.Rule
		}
		at := slices.IndexFunc(out, func(o report.Repaired) bool { return o.Rule == of.Rule && o.Release == of.Release })
		if at < 0 {
			at, out = len(out), append(out, of)
		}
		if c := t.release.cluster; c != "" && !slices.Contains(out[at].Clusters, c) {
			out[at].Clusters = append(out[at].Clusters, c)
		}
	}
	return out
}

// told returns a function that returns, for the findings of each repair in turn, a scenario
// that shows what becomes of them, and how it ended before all repairs and ends after them.
// What only an earlier repair changes is not told again.
func (r *Repairer) told() func([]target) (scenario, before, after string) {
	was, is := byIdentity(r.before.state.Releases), byIdentity(r.state.Releases)
	earlier := map[identity][]rules.Edit{}
	return func(targets []target) (scenario, before, after string) {
		for _, t := range targets {
			set := earlier[t.release]
			earlier[t.release] = slices.Concat(set, t.finding.Fix.Set)
			s, err := forecast.Find(t.finding.Scenario)
			if err != nil || scenario != "" || len(is[t.release]) == 0 || !was[t.release][0].KnownSettings() {
				continue
			}
			old := was[t.release][0].Release
			first, last := ending(old, s), ending(is[t.release][0].Release, s)
			if first != "" && last != "" && first != last && ending(old.Edited(set), s) != ending(old.Edited(earlier[t.release]), s) {
				scenario, before, after = s.Name, first, last
			}
		}
		return scenario, before, after
	}
}

// ending says how a scenario ends for a release; empty if its settings are not known.
func ending(r *effective.Release, s forecast.Scenario) string {
	if r.Settings == nil {
		return ""
	}
	return forecast.Run(*r.Settings, r.Controller, s, forecast.Options{}).Outcome.Summary
}

// checked counts the releases that the repairs were judged with.
func (r *Repairer) checked() report.Checked {
	out := report.Checked{Clusters: []string{}}
	is := byIdentity(r.state.Releases)
	for id, was := range byIdentity(r.before.state.Releases) {
		out.Releases++
		same := func(of judge.Release) bool { return reflect.DeepEqual(of.Object, is[id][0].Object) }
		if slices.ContainsFunc(was, same) {
			out.Unchanged++
		}
		if id.cluster != "" && !slices.Contains(out.Clusters, id.cluster) {
			out.Clusters = append(out.Clusters, id.cluster)
		}
	}
	slices.Sort(out.Clusters)
	return out
}
