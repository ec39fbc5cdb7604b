package judge

import (
	"errors"
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Report returns all that is known of a state, and how its findings go away as far as that
// is shown.
func (s State) Report(shown Shown) report.Report {
	releases := make([]report.Release, 0, len(s.Releases))
	var findings []report.Finding
	known := forecast.Memory{}
	for _, r := range s.Releases {
		releases = append(releases, r.summary(shown))
		for _, f := range r.Verdict.Findings {
			findings = append(findings, r.finding(f, shown, known))
		}
	}
	out := report.New(releases, findings, s.Tree.Undetermined, s.problems()).SetAside(s.Tree.Unapplied)
	out.InForce = s.InForce
	out.Summary.AsWritten = s.Tree.AsWritten && len(releases) > 0
	return out
}

// Side returns all that is known of a state, for a comparison with another.
func (s State) Side(shown Shown) report.Side {
	known := forecast.Memory{}
	side := report.Side{Rule: s.Rule, Undetermined: s.Tree.Undetermined, Resumed: s.Tree.Resumed, Unapplied: s.Tree.Unapplied, Problems: s.problems()}
	for _, u := range s.Tree.Unbuilt() {
		side.Unbuilt = append(side.Unbuilt, report.Unbuilt(u))
	}
	for _, r := range s.Releases {
		side.Releases = append(side.Releases, r.judged(shown, known))
	}
	return side
}

// Former returns for the releases of a tree what each was in the one before, whatever its name, cluster or file is
// now. What is new is left out.
func Former(before, now *effective.Tree) map[*effective.Release]effective.Former {
	side := func(tree *effective.Tree) report.Side {
		s := newState(tree)
		for _, r := range tree.Releases {
			s.Releases = append(s.Releases, Release{Release: r})
		}
		return s.Side(Shown{})
	}
	out := map[*effective.Release]effective.Former{}
	for i, f := range report.Followed(side(before), side(now)) {
		out[now.Releases[i]] = effective.Former{Release: before.Releases[f.Was], Alike: f.Alike}
	}
	return out
}

// judged returns all that is known of a release, for a comparison with what it was.
func (r Release) judged(shown Shown, known forecast.Memory) report.Judged {
	out := report.Judged{
		Release: r.summary(shown), Settings: r.Settings, Controller: r.Controller, Open: r.openRules(), Uninstall: r.Uninstall,
		Chart: r.ChartName(), Spec: r.Object["spec"],
	}
	if !r.KnownSettings() {
		out.Settings = nil
	}
	for _, f := range r.Verdict.Findings {
		out.Findings = append(out.Findings, r.finding(f, shown, known))
	}
	if r.Resumed != nil {
		resumed := r.Resumed.judged(shown, known)
		out.Resumed = &resumed
	}
	return out
}

func (r Release) summary(shown Shown) report.Release {
	out := report.Release{
		Name: r.ID(), Tier: r.Tier, TierFrom: r.Mask(r.TierFrom), TierIgnored: r.Mask(r.TierIgnored), Cluster: r.Cluster,
		File: r.File, Line: r.Line, Class: r.Verdict.Class, BlockedBy: r.Mask(r.BlockedBy), DecidedBy: map[string]report.Place{},
	}
	out.HelmController = report.HelmController{
		Cluster: r.Cluster, Version: r.Controller.Version, Known: !r.Controller.Assumed, Gates: r.Controller.Gates,
		From: r.ControllerFrom, Notes: r.ControllerNotes,
	}
	if r.Alerting != nil && r.Tier != release.Development {
		out.AlertedBy = r.Mask(r.Alerting.Metrics)
	}
	if !shown.Decided {
		return out
	}
	for _, d := range r.Decided() {
		place := report.Place{File: d.By.File, Line: d.By.Line}
		if len(d.By.SetBy) > 0 {
			place.What = r.Mask(d.By.SetBy[0].What)
		}
		out.DecidedBy[r.Mask(d.Path.String())] = place
	}
	return out
}

// problems lists what could not be read: files, and annotations that were meant
// to waive a rule.
func (s State) problems() []report.Problem {
	var problems []report.Problem
	for _, p := range s.Tree.Problems {
		problems = append(problems, report.Problem{File: p.File, Line: p.Line, Column: p.Column, Message: messageOf(p), Stood: p.Stood})
	}
	for _, r := range s.Releases {
		for _, e := range r.Verdict.WaiverErrors {
			at := r.Locate(e.Path)
			problems = append(problems, report.Problem{
				File: at.File, Line: at.Line, Column: at.Column, Waiver: true,
				Message: r.Mask(fmt.Sprintf("%s: %v", r.ID(), e.Err)),
			})
		}
	}
	for _, c := range s.Tree.Comments {
		err := c.Err
		if err == nil && !s.used[c] {
			err = s.refused[c]
		}
		if err != nil {
			problems = append(problems, report.Problem{File: c.File, Line: c.Line, Waiver: true, Message: err.Error()})
		}
	}
	return problems
}

// messageOf says what is wrong with a file, without the place if that is known.
func messageOf(p effective.Problem) string {
	var syntax *yamledit.SyntaxError
	if p.Line > 0 && errors.As(p.Err, &syntax) {
		return syntax.Message
	}
	return p.Err.Error()
}
