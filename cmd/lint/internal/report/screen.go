package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// fit leaves out of a report what the screen has no room for, and says so. One line is left
// for the prompt. What is found comes first; what could not be judged gets a part of the
// screen, and more if it is free; remarks get the rest. The digest of the policies is left out.
func (t *text) fit(p layout) layout {
	room := t.Room()
	if t.Rows(p.texts()...) <= room {
		return p
	}
	var out layout
	for _, line := range p.counts {
		out.counts = append(out.counts, t.Clip(line, 2))
	}
	notes := 1 // that something is left out
	if len(p.aside) > 0 {
		notes++ // an empty line below it
	}
	room -= t.Rows(out.counts...) + t.Rows(p.end...) + notes
	aside := min(t.Rows(p.aside...), room/5)
	if room < document.LeastRows && p.unread {
		aside = 2
	} else if room < document.LeastRows {
		aside = 0 // it is counted
	}
	causes := 0
	out.found, causes, room = t.fitFound(p.found, room-aside)
	out.aside, room = t.fitPart(p.aside, room+aside)
	out.remarks, _ = t.fitPart(p.remarks, room)
	out.end = append(p.end, t.leftOut(causes, len(p.aside)-len(out.aside), len(p.remarks)-len(out.remarks)))
	return out
}

// fitFound shows entries as long as there is room, the first in any case, and names more of
// them in a line each. It returns how many are left out, and the room that is left.
func (t *text) fitFound(all []found, room int) (out []found, left, free int) {
	const around = 3 // a line before what is named, one that counts the rest, and an empty one
	share := room / 6
	for i, f := range all {
		named := min(len(all)-i-1, share)
		if named > 0 {
			named += around
		}
		text := f.full
		switch {
		case t.Rows(text) <= room-named:
		case i > 0:
			return t.nameFound(out, all[i:], room)
		default:
			text = t.fitFirst(f, room)
		}
		out, room = append(out, found{full: text}), room-t.Rows(text)
	}
	return out, 0, room
}

// fitFirst returns an entry in full if there is room, else in brief.
func (t *text) fitFirst(f found, room int) string {
	if t.Rows(f.full) <= room {
		return f.full
	}
	return t.Clip(strings.TrimSuffix(f.brief, "\n"), max(room-1, 1)) + "\n"
}

// nameFound names entries that are not shown, as many as there is room for.
func (t *text) nameFound(out, all []found, room int) ([]found, int, int) {
	head, end := t.note("", fmt.Sprintf("%d more, in full with --all:", len(all))), "\n"
	if len(all) == 1 {
		head = "" // it is said below what is counted
	}
	most := max(1, min(2, room-t.Rows(head, end)))
	named, lines := 0, head
	for i, f := range all {
		line, counted := t.Clip(f.line, most), min(1, len(all)-i-1) // a line counts the rest
		if t.Rows(lines, line, end)+counted > room {
			break
		}
		named, lines = named+1, lines+line
	}
	if named == 0 {
		return out, len(all), room
	}
	if rest := len(all) - named; rest > 0 {
		lines += t.note("  ", fmt.Sprintf("and %d more", rest))
	}
	lines += end
	return append(out, found{full: lines}), 0, room - t.Rows(lines)
}

// note draws a line of the screen's own.
func (t *text) note(indent, line string) string {
	return t.drawn(func(t *text) { t.Paragraph(indent, document.Span{Text: line, Color: document.Dim}) })
}

// fitPart returns the texts that there is room for, the first lines of each if not all fit,
// and the room that is left.
func (t *text) fitPart(all []string, room int) ([]string, int) {
	if t.Rows(all...) <= room {
		return all, room - t.Rows(all...)
	}
	var out []string
	for _, text := range all {
		text = t.Clip(text, 2)
		if t.Rows(text) > room {
			break
		}
		out, room = append(out, text), room-t.Rows(text)
	}
	return out, room
}

// leftOut says that something is left out, and what.
func (t *text) leftOut(causes, aside, remarks int) string {
	var parts []string
	for _, part := range []struct {
		n    int
		noun string
	}{{causes, "cause"}, {aside, "message"}, {remarks, "remark"}} {
		if part.n > 0 {
			parts = append(parts, words.Count(part.n, part.noun))
		}
	}
	text := "shortened; --all shows everything"
	if len(parts) > 0 {
		text += " (left out: " + words.List(parts) + ")"
	}
	return t.Clip(t.note("", text), 1)
}

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
	for _, g := range t.opts.gaps(t.opts.listed(r.Undetermined)) {
		lines = append(lines, Line{g[0].File, g[0].Line, 0, "undetermined", g.reason(), rules.Warning, nil})
	}
	if t.opts.All {
		lines = append(lines, unappliedLines(r.Unapplied, "unapplied")...)
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
		color := document.Dim
		if i < first {
			color = ""
		}
		out = append(out, t.drawn(func(t *text) { t.Paragraph("", document.Span{Text: line, Color: color}) }))
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
