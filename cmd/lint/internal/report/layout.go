package report

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// layout is a report as text, by part. Each text is whole lines.
type layout struct {
	found []found
	// aside is what could not be read, what is undetermined, and notices.
	aside   []string
	unread  bool // the first of aside is what could not be read
	counts  []string
	remarks []string
	end     []string // what is not listed
	judged  []string // what the verdicts are by, which small screens leave out
}

// found is an entry in several lengths.
type found struct{ full, brief, line string }

func (t *text) layout(r Report) layout {
	var p layout
	if t.opts.Statistics {
		p.found = []found{{full: t.drawn(func(t *text) { t.statistics(r.Findings) })}}
	} else {
		p.found = t.found(entries(r.Findings))
	}
	p.aside, p.unread = t.aside(r), len(r.Problems) > 0
	if t.opts.Quiet {
		return p
	}
	p.counts, p.remarks = t.dimmed(r.counts(), 2), t.dimmed(r.remarks(), 0)
	p.end, p.judged = t.dimmed(r.notListed(), 0), t.dimmed(r.inForce(), 0)
	return p
}

// found draws what is found in all lengths.
func (t *text) found(all []entry) []found {
	brief := *t
	brief.brief = true
	var out []found
	for _, e := range all {
		write := func(t *text) { t.entry(e) }
		out = append(out, found{t.drawn(write), brief.drawn(write), t.drawn(func(t *text) { t.line(e) })})
	}
	return out
}

// aside draws what could not be judged, and notices.
func (t *text) aside(r Report) []string {
	lines := problemLines(r.Problems)
	for _, g := range t.opts.gaps(r.Undetermined) {
		lines = append(lines, Line{g[0].File, g[0].Line, 0, "undetermined", g.reason(), rules.Warning, nil})
	}
	if !t.opts.Quiet {
		lines = append(lines, r.notices()...)
	}
	return words.Of(lines, func(l Line) string { return t.drawn(func(t *text) { t.lines([]Line{l}) }) })
}

// dimmed draws lines, the first of them in full colour.
func (t *text) dimmed(lines []string, first int) []string {
	var out []string
	for i, line := range lines {
		color := dim
		if i < first {
			color = ""
		}
		out = append(out, t.drawn(func(t *text) { t.paragraph("", span{text: line, color: color}) }))
	}
	return out
}

// texts returns all parts, one after the other.
func (p layout) texts() []string {
	out := words.Of(p.found, func(f found) string { return f.full })
	out = append(out, p.aside...)
	if len(p.aside) > 0 && len(p.counts) > 0 {
		out = append(out, "\n")
	}
	return slices.Concat(out, p.counts, p.remarks, p.end, p.judged)
}
