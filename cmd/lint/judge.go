package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"sync"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// judged is a release with what the engine says of it.
type judged struct {
	*flux.Release
	verdict rules.Verdict
}

// judge evaluates every release of a tree, on all cores, in the tree's order.
func judge(ctx context.Context, engine *rules.Engine, config *rules.Config, tree *flux.Tree, now time.Time) ([]judged, error) {
	engine, err := engine.Under(config)
	if err != nil {
		return nil, err
	}
	out := make([]judged, len(tree.Releases))
	errs := make([]error, len(tree.Releases))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				release := tree.Releases[i]
				verdict, err := engine.Evaluate(ctx, release.Release, now)
				out[i], errs[i] = judged{release, verdict}, err
			}
		})
	}
	for i := range tree.Releases {
		next <- i
	}
	close(next)
	workers.Wait()
	return out, errors.Join(errs...)
}

// hunksOf returns the edits of files that make a finding of a release go away.
type hunksOf func(judged, *rules.Fix) []report.Hunk

// reportOf puts verdicts in the places of the tree. Without hunks, no edits of
// files are looked for.
func reportOf(tree *flux.Tree, all []judged, hunks hunksOf) report.Report {
	var releases []report.Release
	var findings []report.Finding
	for _, j := range all {
		releases = append(releases, releaseOf(j))
		for _, finding := range j.verdict.Findings {
			findings = append(findings, findingOf(j, finding, hunks))
		}
	}
	return report.New(releases, findings, tree.Undetermined, problemsOf(tree, all))
}

func releaseOf(j judged) report.Release {
	release := report.Release{
		Name: j.ID(), Tier: j.Tier, TierFrom: j.TierFrom, Cluster: j.Cluster,
		File: j.File, Line: j.Line, Class: j.verdict.Class, DecidedBy: map[string]report.Place{},
	}
	for _, d := range j.Decided() {
		place := report.Place{File: d.By.File, Line: d.By.Line}
		if len(d.By.SetBy) > 0 {
			place.What = d.By.SetBy[0].What
		}
		release.DecidedBy[d.Path.String()] = place
	}
	return release
}

func findingOf(j judged, f rules.Finding, hunks hunksOf) report.Finding {
	at := locate(j, f)
	finding := report.Finding{
		Rule: f.Rule, Category: f.Category, Severity: f.Severity, Message: f.Message,
		Release: j.ID(), Tiers: []release.Tier{j.Tier}, Cluster: j.Cluster, Clusters: []string{},
		Path: f.Path.String(), File: at.File, Line: at.Line, Column: at.Column, Exact: at.Exact, Waived: f.Waiver, Chart: chartOf(j),
	}
	finding.Forecast, finding.Fix = forecastOf(j, f), f.Fix
	if f.Fix != nil && hunks != nil {
		finding.Hunks = hunks(j, f.Fix)
	}
	if j.Cluster != "" {
		finding.Clusters = []string{j.Cluster}
	}
	for _, writer := range at.SetBy {
		finding.Provenance = append(finding.Provenance, report.Place{File: writer.File, Line: writer.Line, What: writer.What})
	}
	return finding
}

// chartOf gives the name of a release's chart as the policies take it: without
// the path to it in a Git repository.
func chartOf(j judged) string {
	spec, _ := j.Object["spec"].(map[string]any)
	chart, _ := spec["chart"].(map[string]any)
	template, _ := chart["spec"].(map[string]any)
	if name, _ := template["chart"].(string); name != "" {
		return path.Base(name)
	}
	ref, _ := spec["chartRef"].(map[string]any)
	name, _ := ref["name"].(string)
	return name
}

func locate(j judged, f rules.Finding) flux.Location {
	if f.Written {
		return j.LocateWritten(f.Path)
	}
	return j.Locate(f.Path)
}

// forecastOf simulates the scenario that shows a finding; nil if none does.
func forecastOf(j judged, f rules.Finding) *forecast.Timeline {
	scenario, err := forecast.Find(f.Scenario)
	if err != nil || j.Settings == nil {
		return nil
	}
	timeline := forecast.Run(*j.Settings, j.Controller, scenario, forecast.Options{})
	return &timeline
}

// said gives what is wrong with a file, without the place if that is known.
func said(p flux.Problem) string {
	var syntax *yamledit.SyntaxError
	if p.Line > 0 && errors.As(p.Err, &syntax) {
		return syntax.Message
	}
	return p.Err.Error()
}

// problemsOf lists what could not be read: files, and annotations that were
// meant to waive a rule.
func problemsOf(tree *flux.Tree, all []judged) []report.Problem {
	var problems []report.Problem
	for _, p := range tree.Problems {
		problems = append(problems, report.Problem{File: p.File, Line: p.Line, Column: p.Column, Message: said(p)})
	}
	for _, j := range all {
		for _, e := range j.verdict.WaiverErrors {
			at := j.Locate(e.Path)
			problems = append(problems, report.Problem{
				File: at.File, Line: at.Line, Column: at.Column, Waiver: true,
				Message: fmt.Sprintf("%s: %v", j.ID(), e.Err),
			})
		}
	}
	return problems
}
