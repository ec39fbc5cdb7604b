package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// writeDiffText writes for people: for each change the releases that it
// concerns, the findings that come and go, and the forecasts before and after.
func writeDiffText(w io.Writer, d Diff, opts Options) error {
	t := &text{Writer: bufio.NewWriter(w), opts: opts}
	t.policy(d.Policy)
	for _, group := range alike(d.Changes) {
		t.change(group)
	}
	for _, group := range d.inherited() {
		f := group[0]
		t.paragraph("", span{place(f.File, f.Line, f.Column) + ":", bold}, span{"known cause:", yellow}, span{knownCause(group) + " reaches " + reached(group), ""})
	}
	for _, u := range folded(d.Undetermined) {
		t.paragraph("", span{place(u.File, u.Line, 0) + ":", bold}, span{"newly undetermined:", yellow}, span{reasonOf(u), ""})
	}
	for _, p := range d.Problems {
		t.paragraph("", span{place(p.File, p.Line, p.Column) + ":", bold}, span{p.Head() + ":", red}, span{p.Message, ""})
	}
	for _, p := range d.BaseProblems {
		t.paragraph("", span{place(p.File, p.Line, p.Column) + ":", bold}, span{"could not be read in " + d.Base + ":", yellow}, span{p.Message, ""})
	}
	for _, u := range unappliedPlaces(d.Unapplied) {
		t.paragraph("", span{place(u.File, u.Line, 0) + ":", bold}, span{"unapplied now:", yellow}, span{u.Reason, ""})
	}
	t.paragraph("", span{"since " + d.Base + ":", bold}, span{d.Summary.verdict() + "; " + d.Summary.tally(), ""})
	t.remarks(d.Remarks)
	if hint := d.hidden.String(); hint != "" {
		t.paragraph("", span{hint, dim})
	}
	return t.Flush()
}

// policy writes what changes in the policy: first what weakens it.
func (t *text) policy(p Policy) {
	if len(p.Changes)+len(p.Weakened) == 0 {
		return
	}
	t.paragraph("", span{"Policy:", bold})
	for _, f := range p.Weakened {
		t.paragraph("  ", span{"+ " + string(f.Severity), colors[f.Severity]}, span{f.Rule + ": " + f.Message, ""})
		t.paragraph("    ", span{"at " + place(f.File, f.Line, f.Column), dim})
	}
	for _, c := range p.Changes {
		t.paragraph("  ", span{c.written(), dim})
	}
	t.WriteString("\n")
}

func (t *text) change(group []Change) {
	c := group[0]
	t.paragraph("", span{titleOf(group) + ":", bold}, span{c.headline(), ""})
	if c.Unknown != nil {
		t.paragraph("  ", span{"because", dim}, span{place(c.Unknown.File, c.Unknown.Line, 0) + ": " + c.Unknown.Reason + accepted(*c.Unknown), ""})
	}
	for _, f := range c.Gained {
		t.paragraph("  ", span{"+ " + string(f.Severity), colors[f.Severity]}, span{before(f) + f.Rule + ": " + f.Message + acceptance(f), ""})
		places := someOf(placesOf(group, f), "place", func(p Place) string { return p.File + inBrackets(p.What) })
		t.paragraph("    ", span{"at " + places, dim})
	}
	for _, f := range c.Lost {
		t.paragraph("  ", span{"- " + string(f.Severity) + " " + f.Rule + acceptance(f), dim})
	}
	full, rest := inFull(c.Forecasts)
	for _, f := range full {
		t.paragraph("  ", span{f.Scenario + ":", trendColors[f.Trend]}, span{"was: " + f.Before, ""})
		t.paragraph("    ", span{"now: " + f.After, ""})
	}
	for _, line := range rest {
		t.paragraph("  ", span{line, dim})
	}
	if len(group) > some {
		t.paragraph("  ", span{"releases: " + namesOf(group), dim})
	}
	t.WriteString("\n")
}

var trendColors = map[Trend]string{Worse: red, Better: blue, Other: yellow}

// some is how many releases or places of a change a line names.
const some = 3

// someOf returns the first of many and counts the rest.
func someOf[T any](all []T, noun string, told func(T) string) string {
	var parts []string
	for _, one := range all[:min(some, len(all))] {
		parts = append(parts, told(one))
	}
	text := strings.Join(parts, ", ")
	if rest := len(all) - some; rest > 0 {
		text += " and " + count(rest, "more "+noun)
	}
	return text
}

// titleOf names the releases of a group, or some of them.
func titleOf(group []Change) string {
	if len(group) <= some {
		return namesOf(group)
	}
	return namesOf(group[:some]) + " and " + count(len(group)-some, "more release")
}

// namesOf returns every release of a group, by cluster.
func namesOf(group []Change) string {
	var clusters []string
	names := map[string][]string{}
	for _, c := range group {
		at := clusterOf(c)
		if !slices.Contains(clusters, at) {
			clusters = append(clusters, at)
		}
		names[at] = append(names[at], c.Name.String())
	}
	parts := make([]string, len(clusters))
	for i, at := range clusters {
		parts[i] = strings.Join(names[at], ", ") + at
	}
	return strings.Join(parts, "; ")
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
