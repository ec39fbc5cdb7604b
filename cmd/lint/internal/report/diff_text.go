package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// writeDiffText writes for people: for each change the releases that it
// concerns, the findings that come and go, and the forecasts before and after.
func writeDiffText(w io.Writer, d Diff, opts Options) error {
	t := newText(w, opts)
	t.policy(d.Policy)
	for _, group := range alike(d.Changes) {
		t.change(group)
	}
	t.existing(d)
	t.lines(d.asides())
	t.Paragraph("", document.Span{Text: "since " + d.Base + ":", Color: document.Bold}, document.Span{Text: d.verdict() + "; " + d.tally()})
	t.remarks(passedOver(d.PassedOver()))
	if legend := d.legend(); legend != "" {
		t.Paragraph("", document.Span{Text: legend, Color: document.Dim})
	}
	t.remarks(d.Remarks)
	t.remarks(words.NotEmpty(d.Policy.InForce.Judged()))
	if hint := hint(d.notListed()); hint != "" {
		t.Paragraph("", document.Span{Text: hint, Color: document.Dim})
	}
	return t.Flush()
}

// policy writes what changes in the policy: first what weakens it.
func (t *text) policy(p Policy) {
	if len(p.Changes)+len(p.Weakened) == 0 {
		return
	}
	t.Paragraph("", document.Span{Text: "Policy:", Color: document.Bold})
	for _, f := range p.Weakened {
		t.Paragraph("  ", document.Span{Text: "+ " + string(f.Severity), Color: colors[f.Severity]}, document.Span{Text: f.Rule + ": " + f.Message})
		t.Paragraph("    ", document.Span{Text: "at " + place(f.File, f.Line, f.Column), Color: document.Dim})
	}
	if hint := p.hint(); hint != "" {
		t.Paragraph("  ", document.Span{Text: hint, Color: document.Dim})
	}
	for _, c := range p.Changes {
		t.Paragraph("  ", document.Span{Text: c.written(), Color: document.Dim})
	}
	t.WriteString("\n")
}

// existing writes what only the new policy reports and was there before.
func (t *text) existing(d Diff) {
	if len(d.Existing) == 0 {
		return
	}
	t.Paragraph("", document.Span{Text: existingHead(d.Base) + ":", Color: document.Bold})
	for _, line := range existing(d.Existing) {
		t.Paragraph("  ", document.Span{Text: line})
	}
	t.WriteString("\n")
}

func (t *text) change(group []Change) {
	c := group[0]
	t.Paragraph("", document.Span{Text: titleOf(group) + ":", Color: document.Bold}, document.Span{Text: c.headline()})
	if c.Unknown != nil {
		t.Paragraph("  ", document.Span{Text: "because", Color: document.Dim}, document.Span{Text: place(c.Unknown.File, c.Unknown.Line, 0) + ": " + c.Unknown.Reason + accepted(*c.Unknown)})
	}
	for _, f := range c.Gained {
		t.Paragraph("  ", document.Span{Text: "+ " + string(f.Severity), Color: colors[f.Severity]}, document.Span{Text: before(f) + f.Rule + ": " + f.Message + acceptance(f)})
		places := words.First(words.Of(placesOf(group, f), func(p Place) string { return p.File + inBrackets(p.What) }), some, "place")
		t.Paragraph("    ", document.Span{Text: "at " + places, Color: document.Dim})
	}
	for _, f := range c.Remaining {
		t.Paragraph("  ", document.Span{Text: "still " + string(f.Severity), Color: colors[f.Severity]}, document.Span{Text: f.Rule + " (part of " + f.Was + "): " + f.Message})
	}
	for _, f := range c.Lost {
		t.Paragraph("  ", document.Span{Text: "- " + string(f.Severity) + " " + f.Rule + acceptance(f), Color: document.Dim})
	}
	for _, f := range c.Eased {
		t.Paragraph("  ", document.Span{Text: "- " + string(f.Severity) + " " + before(f) + f.Rule, Color: document.Dim})
	}
	full, rest := inFull(c.Forecasts)
	for _, f := range full {
		t.Paragraph("  ", document.Span{Text: f.Scenario + ":", Color: trendColors[f.Trend]}, document.Span{Text: "was: " + f.Before})
		t.Paragraph("    ", document.Span{Text: "now: " + f.After})
	}
	for _, line := range rest {
		t.Paragraph("  ", document.Span{Text: line, Color: document.Dim})
	}
	if len(group) > some {
		t.Paragraph("  ", document.Span{Text: "releases: " + namesOf(group), Color: document.Dim})
	}
	t.WriteString("\n")
}

var trendColors = map[Trend]string{Worse: document.Red, Better: document.Blue, Other: document.Yellow}

func titleOf(group []Change) string {
	if len(group) <= some {
		return namesOf(group)
	}
	return namesOf(group[:some]) + " and " + words.Count(len(group)-some, "more release")
}

// named names the release of a change, and its cluster.
func (c Change) named() string { return c.Name.String() + words.InCluster(c.Cluster) }

// namesOf returns every release of a group, by cluster.
func namesOf(group []Change) string {
	clusters := words.Of(words.Alike[[]Change](group, func(c Change) string { return c.Cluster }), func(of []Change) string {
		return strings.Join(words.Of(of, func(c Change) string { return c.Name.String() }), ", ") + words.InCluster(of[0].Cluster)
	})
	return strings.Join(clusters, "; ")
}

// placesOf returns where the releases of a group have a finding, and what wrote
// it there.
func placesOf(group []Change, f Finding) []Place {
	var places []Place
	for _, c := range group {
		for _, g := range c.Gained {
			if g.Rule != f.Rule || g.Path != f.Path {
				continue
			}
			at := Place{File: place(g.File, g.Line, g.Column)}
			if len(g.Provenance) > 0 {
				at.What = g.Provenance[0].What
			}
			places = append(places, at)
		}
	}
	return words.Distinct(places)
}

// before says what a finding was that is worse now.
func before(f Finding) string {
	switch f.Was {
	case "":
		return ""
	case Unjudged:
		return "(could not be judged before) "
	}
	return "(was " + f.Was + ") "
}

// acceptance says why a waived finding is accepted.
func acceptance(f Finding) string {
	if f.Waived == nil {
		return ""
	}
	return fmt.Sprintf(" (waived until %s: %s)", f.Waived.Until, f.Waived.Reason)
}

// unreadBefore is the head of what cannot be read in the base.
func (d Diff) unreadBefore() string { return "could not be read in " + d.Base }

// asides are the messages about what no change of a release shows: causes that others have now, what is not known or not
// applied any more, what cannot be read, and waivers that accept nothing any more.
func (d Diff) asides() []Line {
	inherited := words.Of(d.inherited(), func(group []Finding) Line {
		f := group[0]
		return Line{f.File, f.Line, f.Column, "known cause", knownCause(group) + " reaches " + reached(group), rules.Warning, nil}
	})
	before := problemLines(d.BaseProblems)
	for i := range before {
		before[i].Head, before[i].Severity = d.unreadBefore(), rules.Warning
	}
	waivers := words.Of(d.Waivers, func(w Waiver) Line { return Line{w.File, w.Line, 0, "notice", w.notice(), rules.Warning, nil} })
	return slices.Concat(problemLines(d.Problems), inherited, undeterminedLines(rooted(d.unshown()), "newly undetermined"),
		before, waivers, unappliedLines(d.Unapplied, "unapplied now"))
}
