package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// writeText writes for people: each finding as path:line:col: severity rule:
// message, with the line it points at and what set it; then what could not be
// determined, what could not be read, and a summary.
func writeText(w io.Writer, r Report, opts Options) error {
	t := &text{Writer: bufio.NewWriter(w), opts: opts}
	if opts.Statistics {
		t.statistics(r.Findings)
	} else {
		for _, block := range widest(r.Findings) {
			t.finding(block)
		}
	}
	for _, u := range folded(r.Undetermined) {
		t.paragraph("", span{place(u.File, u.Line, 0) + ":", bold}, span{"undetermined:", yellow}, span{reasonOf(u), ""})
	}
	for _, p := range r.Problems {
		t.paragraph("", span{place(p.File, p.Line, p.Column) + ":", bold}, span{p.Head() + ":", red}, span{p.Message, ""})
	}
	if opts.Quiet {
		return t.Flush()
	}
	for _, n := range r.notices() {
		t.paragraph("", span{place(n.file, n.line, 0) + ":", bold}, span{"notice:", blue}, span{n.text, ""})
	}
	if len(r.Undetermined)+len(r.Problems)+len(r.notices()) > 0 {
		t.WriteString("\n")
	}
	t.summary(r)
	t.remarks(remarks(r.Releases))
	if hint := hint(r.unlisted); hint != "" {
		t.paragraph("", span{hint, dim})
	}
	return t.Flush()
}

func (t *text) finding(block [][]Finding) {
	group := block[0]
	f := group[0]
	t.paragraph("", span{place(f.File, f.Line, f.Column) + ":", bold},
		span{string(f.Severity), colors[f.Severity]}, span{f.Rule + ": " + f.Message, ""})
	t.source(f)
	if of := releases(group); of != "" {
		t.paragraph("  ", span{"release", dim}, span{of, ""})
	}
	for _, of := range blocked(slices.Concat(block...)) {
		t.paragraph("  ", span{"blocks", dim}, span{of + ": Flux applies nothing of it", ""})
	}
	for _, p := range f.Provenance {
		t.paragraph("  ", span{"set by", dim}, span{p.written(), ""})
	}
	if f.Forecast != nil {
		t.paragraph("  ", span{"forecast", dim}, span{f.Forecast.Scenario + ": " + f.Forecast.Outcome.String(), ""})
	}
	if len(block) > 1 {
		t.paragraph("  ", span{"and in " + count(len(block)-1, "more place") + ":", dim})
	}
	for _, p := range elsewhere(block) {
		t.paragraph("    ", span{p.File, ""}, span{p.What, dim})
	}
	t.WriteString("\n")
}

// source shows the field that a finding points at, with a caret below.
func (t *text) source(f Finding) {
	if f.Excerpt == "" {
		return
	}
	fmt.Fprintf(t, "%s %s\n", t.paint(dim, fmt.Sprintf("%5d |", f.Line)), f.Excerpt)
	fmt.Fprintf(t, "%s %s%s\n", t.paint(dim, "      |"), strings.Repeat(" ", f.Caret), t.paint(colors[f.Severity], "^"+missing(f)))
}

func missing(f Finding) string {
	if f.Exact || f.Path == "" {
		return ""
	}
	return " " + f.Path + " is not written"
}

// summary says in one line what was found, and what to make of what was not.
func (t *text) summary(r Report) {
	s := r.Summary
	fmt.Fprintf(t, "%s: %s, %s, %s%s%s\n", r.counted(),
		t.paint(colorIf(s.Errors, red), count(s.Errors, "error")),
		t.paint(colorIf(s.Warnings, yellow), count(s.Warnings, "warning")),
		count(s.Infos, "info"), waived(s.Waived)+notSelected(s.NotSelected)+t.paint(red, problems(s.Problems)), r.known())
	if left := unapplied(r.Unapplied); left != "" {
		t.paragraph("", span{left, ""})
	}
	if s.AsWritten {
		t.paragraph("", span{asWritten, dim})
	}
	if s.Undetermined > s.Accepted {
		t.paragraph("", span{"What is undetermined has neither passed nor failed; --strict makes it fail the run.", dim})
	}
}

func (t *text) remarks(remarks []string) {
	for _, remark := range remarks {
		t.paragraph("", span{remark, dim})
	}
}

var colors = map[rules.Severity]string{rules.Error: red, rules.Warning: yellow, rules.Info: blue}
