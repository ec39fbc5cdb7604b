package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// writeText writes for people: what is found by the place to edit, the worst first, each
// with the line it points at, what happens and what to write; then what could not be
// determined, what could not be read, and a summary.
func writeText(w io.Writer, r Report, opts Options) error {
	t := &text{Writer: bufio.NewWriter(w), opts: opts}
	if opts.Statistics {
		t.statistics(r.Findings)
	} else {
		t.blocks(blocks(r.Findings))
	}
	for _, u := range folded(r.Undetermined) {
		t.paragraph("", span{text: place(u.File, u.Line, 0) + ":", color: bold}, span{text: "undetermined:", color: yellow}, span{text: reasonOf(u)})
	}
	for _, p := range r.Problems {
		t.paragraph("", span{text: place(p.File, p.Line, p.Column) + ":", color: bold}, span{text: p.Head() + ":", color: red}, span{text: p.Message})
	}
	if opts.Quiet {
		return t.Flush()
	}
	for _, n := range r.notices() {
		t.paragraph("", span{text: place(n.file, n.line, 0) + ":", color: bold}, span{text: "notice:", color: blue}, span{text: n.text})
	}
	if len(r.Undetermined)+len(r.Problems)+len(r.notices()) > 0 {
		t.WriteString("\n")
	}
	t.summary(r)
	return t.Flush()
}

// blocks writes what fits on the screen, at least one block, and counts the rest.
func (t *text) blocks(all []block) {
	const summary = 8 // lines that are left for it
	room := t.opts.Height - summary
	for i, b := range all {
		var shown bytes.Buffer
		one := &text{Writer: bufio.NewWriter(&shown), opts: t.opts}
		one.block(b)
		_ = one.Flush() // to memory
		room -= bytes.Count(shown.Bytes(), []byte("\n"))
		if t.opts.Height > 0 && !t.opts.All && i > 0 && room < 0 {
			t.paragraph("", span{text: "and " + count(len(all)-i, "more block") + " (" + countsOf(all[i:]) + "); --all shows them", color: dim})
			t.WriteString("\n")
			return
		}
		_, _ = t.Write(shown.Bytes()) // as of the writer below
	}
}

// block writes causes that say the same.
func (t *text) block(b block) {
	f := b.first()
	t.paragraph("", span{text: string(f.Severity) + ":", color: colors[f.Severity]}, span{text: t.opts.title(f), color: bold},
		span{text: "[" + f.Rule + "]", color: dim, url: t.opts.ruleURL(f.Rule)})
	t.paragraph("  ", span{text: "-->", color: dim}, span{text: b[0].at(), color: bold, url: t.fileURL(b[0])})
	t.source(b)
	if title := t.opts.title(f); title != f.Message {
		t.paragraph("  ", span{text: b.happens()})
	}
	if f.Forecast != nil {
		t.labelled("forecast", f.Forecast.Scenario+": "+f.Forecast.Outcome.Brief())
	}
	for _, of := range blocked(b.findings()) {
		t.labelled("blocks", of+": Flux applies nothing of it")
	}
	t.help(b)
	t.concerned(b)
	t.WriteString("\n")
}

// concerned writes the releases and the further places of a block: some, or all.
func (t *text) concerned(b block) {
	if !t.opts.All {
		if of := b.releases(mostNames); of != "" {
			t.labelled("releases", of)
		}
		if places := b.places(mostNames, strings.Clone); places != "" {
			t.labelled(b.elsewhereLabel(), places)
		}
		return
	}
	if of := b.releases(0); of != "" {
		t.labelled("releases", of)
	}
	for i, p := range b.elsewhere() {
		if i == 0 {
			t.paragraph("  ", span{text: b.elsewhereLabel() + ":", color: dim})
		}
		t.paragraph("    ", span{text: strings.TrimSuffix(p.File+" "+p.What, " ")})
	}
}

// labelled writes a line of a block that has a name.
func (t *text) labelled(label, said string) {
	t.paragraph("  ", span{text: label + ":", color: dim}, span{text: said})
}

// help writes what to do, with the YAML below.
func (t *text) help(b block) {
	said, lines := t.opts.help(b)
	t.paragraph("  ", span{text: "help:", color: green}, span{text: said})
	for _, line := range lines {
		fmt.Fprintf(t, "%s %s\n", t.paint(dim, "      |"), t.paint(green, line))
	}
}

// source shows the field that a block points at, with a caret below, and what set it. A
// patch that is proposed has none.
func (t *text) source(b block) {
	f := b.first()
	if f.Excerpt != "" && b[0].site() == nil {
		fmt.Fprintf(t, "%s %s\n", t.paint(dim, fmt.Sprintf("%5d |", f.Line)), f.Excerpt)
		fmt.Fprintf(t, "%s %s%s\n", t.paint(dim, "      |"), strings.Repeat(" ", f.Caret), t.paint(colors[f.Severity], "^"+missing(f)))
	}
	if b[0].site() != nil {
		return
	}
	for _, by := range b.setBy() {
		t.paragraph("      ", span{text: "=", color: dim}, span{text: by})
	}
}

// fileURL returns the address of the file to edit.
func (t *text) fileURL(c cause) string {
	if t.opts.FileURL == nil {
		return ""
	}
	if site := c.site(); site != nil {
		return t.opts.FileURL(site.File)
	}
	return t.opts.FileURL(c.first().File)
}

func missing(f Finding) string {
	if f.Exact || f.Path == "" {
		return ""
	}
	return " " + f.Path + " is not set"
}

// summary says in few lines what was found, and what to make of what was not.
func (t *text) summary(r Report) {
	for i, line := range r.summary() {
		color := dim
		if i < 2 {
			color = ""
		}
		t.paragraph("", span{text: line, color: color})
	}
}

func (t *text) remarks(remarks []string) {
	for _, remark := range remarks {
		t.paragraph("", span{text: remark, color: dim})
	}
}

var colors = map[rules.Severity]string{rules.Error: red, rules.Warning: yellow, rules.Info: blue}
