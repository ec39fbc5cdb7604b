package report

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// sections are a report as text. On a screen what is found comes first, and what could not be judged gets a part, or of a small
// one nothing if all could be read: it is counted. Remarks get the rest.
func (t *text) sections(r Report) []document.Section {
	found := document.Section{Noun: "cause", Apart: true, Ended: true}
	if t.opts.Statistics {
		found.Entries = []document.Entry{{Full: t.drawn(func(t *text) { t.statistics(r.Findings) })}}
	} else {
		found.Entries = t.found(entries(r.Findings))
	}
	aside := document.Section{Entries: t.aside(r), Noun: "message", Share: 5, Ended: true}
	if t.Room() < document.LeastRows && len(r.Problems) == 0 {
		aside.Share = document.LeastRows
	}
	if t.opts.Quiet {
		return []document.Section{found, aside}
	}
	return []document.Section{
		found, aside,
		{Entries: t.dimmed(r.counts(), 2)},
		{Entries: t.dimmed(r.remarks(), 0), Noun: "remark", Share: document.LeastRows},
		{Entries: t.dimmed(r.notListed(), 0)},
		{Entries: t.dimmed(r.inForce(), 0), Spare: true},
	}
}

// found draws what is found in all lengths.
func (t *text) found(all []entry) []document.Entry {
	brief := *t
	brief.brief = true
	return words.Of(all, func(e entry) document.Entry {
		write := func(t *text) { t.entry(e) }
		return document.Entry{Full: t.drawn(write), Brief: brief.drawn(write), Line: t.drawn(func(t *text) { t.line(e) })}
	})
}

// aside draws what could not be judged, and notices.
func (t *text) aside(r Report) []document.Entry {
	lines := problemLines(r.Problems)
	for _, g := range t.opts.gaps(t.opts.listed(r.Undetermined)) {
		lines = append(lines, Line{g[0].File, g[0].Line, 0, "undetermined", g.reason(), rules.Warning, nil})
	}
	if t.opts.All {
		lines = append(lines, unappliedLines(r.Unapplied, "unapplied")...)
	}
	if !t.opts.Quiet {
		lines = append(lines, r.notices()...)
	}
	return words.Of(lines, func(l Line) document.Entry {
		return document.Entry{Full: t.drawn(func(t *text) { t.lines([]Line{l}) })}
	})
}

// dimmed draws lines, the first of them in full colour.
func (t *text) dimmed(lines []string, first int) []document.Entry {
	return append(t.Entries("", lines[:min(first, len(lines))]...), t.Entries(document.Dim, lines[min(first, len(lines)):]...)...)
}
