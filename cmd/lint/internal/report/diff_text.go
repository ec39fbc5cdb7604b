package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// writeDiffText writes for people: for each change the releases that it
// concerns, the findings that come and go, and the forecasts before and after.
func writeDiffText(w io.Writer, d Diff, opts Options) error {
	t := &text{Writer: bufio.NewWriter(w), opts: opts}
	t.policy(d.Policy)
	for _, group := range alike(d.Changes) {
		t.change(group)
	}
	t.lines(d.asides())
	t.paragraph("", span{text: "since " + d.Base + ":", color: bold}, span{text: d.verdict() + "; " + d.tally()})
	if legend := d.legend(); legend != "" {
		t.paragraph("", span{text: legend, color: dim})
	}
	t.remarks(d.Remarks)
	t.remarks(d.Policy.judgedBy())
	if hint := d.hidden.hint(); hint != "" {
		t.paragraph("", span{text: hint, color: dim})
	}
	return t.Flush()
}

// policy writes what changes in the policy: first what weakens it.
func (t *text) policy(p Policy) {
	if len(p.Changes)+len(p.Weakened) == 0 {
		return
	}
	t.paragraph("", span{text: "Policy:", color: bold})
	for _, f := range p.Weakened {
		t.paragraph("  ", span{text: "+ " + string(f.Severity), color: colors[f.Severity]}, span{text: f.Rule + ": " + f.Message})
		t.paragraph("    ", span{text: "at " + place(f.File, f.Line, f.Column), color: dim})
	}
	if hint := p.hint(); hint != "" {
		t.paragraph("  ", span{text: hint, color: dim})
	}
	for _, c := range p.Changes {
		t.paragraph("  ", span{text: c.written(), color: dim})
	}
	t.WriteString("\n")
}

func (t *text) change(group []Change) {
	c := group[0]
	t.paragraph("", span{text: titleOf(group) + ":", color: bold}, span{text: c.headline()})
	if c.Unknown != nil {
		t.paragraph("  ", span{text: "because", color: dim}, span{text: place(c.Unknown.File, c.Unknown.Line, 0) + ": " + c.Unknown.Reason + accepted(*c.Unknown)})
	}
	for _, f := range c.Gained {
		t.paragraph("  ", span{text: "+ " + string(f.Severity), color: colors[f.Severity]}, span{text: before(f) + f.Rule + ": " + f.Message + acceptance(f)})
		places := words.First(words.Of(placesOf(group, f), func(p Place) string { return p.File + inBrackets(p.What) }), some, "place")
		t.paragraph("    ", span{text: "at " + places, color: dim})
	}
	for _, f := range c.Remaining {
		t.paragraph("  ", span{text: "still " + string(f.Severity), color: colors[f.Severity]}, span{text: f.Rule + " (part of " + f.Was + "): " + f.Message})
	}
	for _, f := range c.Lost {
		t.paragraph("  ", span{text: "- " + string(f.Severity) + " " + f.Rule + acceptance(f), color: dim})
	}
	for _, f := range c.Eased {
		t.paragraph("  ", span{text: "- " + string(f.Severity) + " " + before(f) + f.Rule, color: dim})
	}
	full, rest := inFull(c.Forecasts)
	for _, f := range full {
		t.paragraph("  ", span{text: f.Scenario + ":", color: trendColors[f.Trend]}, span{text: "was: " + f.Before})
		t.paragraph("    ", span{text: "now: " + f.After})
	}
	for _, line := range rest {
		t.paragraph("  ", span{text: line, color: dim})
	}
	if len(group) > some {
		t.paragraph("  ", span{text: "releases: " + namesOf(group), color: dim})
	}
	t.WriteString("\n")
}

var trendColors = map[Trend]string{Worse: red, Better: blue, Other: yellow}

// some is how many releases or places of a change a line names.
const some = 3

func titleOf(group []Change) string {
	if len(group) <= some {
		return namesOf(group)
	}
	return namesOf(group[:some]) + " and " + words.Count(len(group)-some, "more release")
}

// namesOf returns every release of a group, by cluster.
func namesOf(group []Change) string {
	clusters := words.Of(words.Alike[[]Change](group, clusterOf), func(of []Change) string {
		return strings.Join(words.Of(of, func(c Change) string { return c.Name.String() }), ", ") + clusterOf(of[0])
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
			if !slices.Contains(places, at) {
				places = append(places, at)
			}
		}
	}
	return places
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
