package judge

import (
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Hunks returns the edits of files that make a finding of a release go away; none
// if they are not known.
type Hunks func(Release, *rules.Fix) []report.Hunk

// Shown is what a report shows beside findings. The zero value is nothing.
type Shown struct {
	Hunks Hunks
	// Remedy returns what to write, and where; nil if that is not known.
	Remedy func(Release, rules.Finding) *report.Remedy
	// HoldsUp is true if it shows what stands still while a release fails.
	HoldsUp bool
	// Decided is true if it shows where each setting is written.
	Decided bool
}

// LocateFinding returns the place that decides a finding.
func (r Release) LocateFinding(f rules.Finding) effective.Location {
	if f.Object != "" {
		return r.LocateIn(f.Object, f.Path)
	}
	switch {
	case f.Written:
		return r.LocateWritten(f.Path)
	case f.Key:
		return r.LocateKey(f.Path)
	}
	at := r.Locate(f.Path)
	_ = at.Field() // it is remembered, and read while its document is in memory
	return at
}

// Cause returns what makes a finding of the release.
func (r Release) Cause(f rules.Finding) report.Cause {
	at := r.LocateFinding(f)
	return report.Cause{Rule: f.Rule, File: at.File, Field: r.Mask(at.Field())}
}

// finding puts a finding in its place, with how it goes away as far as that is shown.
func (r Release) finding(f rules.Finding, shown Shown, known forecast.Memory) report.Finding {
	at := r.LocateFinding(f)
	finding := report.Finding{
		Rule: f.Rule, Category: f.Category, Severity: f.Severity, Message: r.Mask(f.Message),
		Subject: report.Subject{
			Release: r.ID(), Tiers: []release.Tier{r.Tier}, Cluster: r.Cluster, Clusters: []string{}, Chart: r.Mask(release.ChartName(r.Object)),
		},
		Position: report.Position{
			Path: r.Mask(f.Path.String()), Steps: f.Path, File: at.File, Line: at.Line, Column: at.Column, Field: r.Mask(at.Field()), Exact: at.Exact,
			Provenance: r.places(at.SetBy), Excerpt: r.Mask(at.Excerpt.Text), Caret: at.Excerpt.Column,
		},
		Degree: f.Degree, ShownDegree: r.MaskDegree(f.Degree), Forecast: r.forecast(f, known), Fix: f.Fix, Waived: r.waived(f), Blocks: r.blocks(f),
		CountsFrom: f.CountsFrom, Help: r.Mask(f.Help),
	}
	if shown.HoldsUp {
		finding.HoldsUp = r.holdsUp(finding.Forecast)
	}
	if r.Cluster != "" {
		finding.Clusters = []string{r.Cluster}
	}
	if f.Fix != nil && shown.Hunks != nil {
		finding.Hunks = shown.Hunks(r, f.Fix)
	}
	if shown.Remedy != nil {
		finding.Remedy = shown.Remedy(r, f)
	}
	if finding.Remedy != nil && finding.Remedy.Kind == "unsafe" && f.Fix.Safe {
		fix := *f.Fix // something is written in the file that the object no longer has
		fix.Safe = false
		finding.Fix = &fix
	}
	return finding
}

// holdsUp returns what stands still in the scenario of a forecast; nil if nothing else does.
func (r Release) holdsUp(line *forecast.Timeline) *report.HoldsUp {
	if line == nil || !r.Depended() {
		return nil
	}
	scenario, err := forecast.Find(line.Scenario)
	if err != nil {
		return nil
	}
	held := r.Radius(scenario, forecast.Options{})
	if held == nil || held.Waiting()+len(held.Dependents) == 0 {
		return nil
	}
	return &report.HoldsUp{
		Summary: r.Mask(strings.TrimPrefix(held.String(), "holds up ")), Kustomizations: held.Waiting(), Releases: len(held.Releases) + len(held.Dependents),
		For: held.For, NeedsHuman: held.NeedsHuman, Unknown: held.Unknown,
	}
}

// waived returns the waiver of a finding as it may be told; nil if there is none.
func (r Release) waived(f rules.Finding) *rules.Waiver {
	if f.Waiver == nil {
		return nil
	}
	out := *f.Waiver
	out.Reason = r.Mask(out.Reason)
	return &out
}

func (r Release) places(writers []effective.Writer) []report.Place {
	var out []report.Place
	for _, w := range writers {
		out = append(out, report.Place{File: w.File, Line: w.Line, What: r.Mask(w.What)})
	}
	return out
}

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
