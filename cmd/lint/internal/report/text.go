package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// writeText writes for people: what is found by what is to be edited, the worst first, each
// with the line it points at, what happens and what to write; then what could not be read,
// what could not be determined, and a summary. On a terminal it fits a screen.
func writeText(w io.Writer, r Report, opts Options) error {
	t := &text{Writer: bufio.NewWriter(w), opts: opts}
	p := t.layout(r)
	if opts.Height > 0 && !opts.All && !opts.Statistics {
		p = t.fit(p)
	}
	for _, text := range p.texts() {
		t.WriteString(text)
	}
	return t.Flush()
}

// entry writes blocks that are edited in the same documents.
func (t *text) entry(e entry) {
	for i, b := range e {
		t.block(b, i == len(e)-1)
	}
	t.WriteString("\n")
}

// block writes causes that say the same; the last of an entry with whom they concern.
func (t *text) block(b block, last bool) {
	f := b.first()
	t.sized("", 2, span{text: b.severities() + ":", color: colors[f.Severity]}, span{text: t.opts.title(f), color: bold},
		span{text: "[" + f.Rule + "]", color: dim, url: t.opts.ruleURL(f.Rule)})
	t.paragraph("  ", span{text: "-->", color: dim}, span{text: b[0].at(), color: bold, url: t.fileURL(b[0])})
	t.source(b)
	if title := t.opts.title(f); title != f.Message {
		t.sized("  ", 2, span{text: b.happens()})
	}
	for _, fact := range b.facts() {
		t.labelled(fact[0], fact[1])
	}
	t.help(b)
	if last || t.opts.All {
		t.concerned(b)
	}
}

// concerned writes the releases and the further places of a block: some, or all.
func (t *text) concerned(b block) {
	if t.opts.All {
		t.everything(b)
		return
	}
	of, places := b.releases(mostNames), b.places(mostNames, strings.Clone)
	if t.brief {
		of, places = b.counted(""), ""
	}
	if of != "" {
		t.labelled("releases", of)
	}
	if places != "" {
		t.labelled(b.elsewhereLabel(), places)
	}
}

// everything writes all releases and places of a block.
func (t *text) everything(b block) {
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

func (t *text) line(e entry) {
	f, all := e[0].first(), e[0].findings()
	what := e.rules()
	switch {
	case !f.ofOne():
	case width(all) == 1:
		what += " of " + f.Release.String()
	default:
		what += " of " + words.Count(width(all), "release")
	}
	t.paragraph("  ", span{text: string(f.Severity) + ":", color: colors[f.Severity]}, span{text: what + ":"},
		span{text: e[0][0].at(), url: t.fileURL(e[0][0])})
}

// labelled writes a line of a block that has a name.
func (t *text) labelled(label, line string) {
	t.sized("  ", 1, span{text: label + ":", color: dim}, span{text: line})
}

// sized writes a paragraph of a block; in brief no more than some rows of it.
func (t *text) sized(indent string, most int, spans ...span) {
	if !t.brief {
		t.paragraph(indent, spans...)
		return
	}
	t.WriteString(t.clip(t.drawn(func(t *text) { t.paragraph(indent, spans...) }), most))
}

// help writes what to do, with the YAML below.
func (t *text) help(b block) {
	help, lines := t.opts.help(b)
	t.sized("  ", 2, span{text: "help:", color: green}, span{text: help})
	for _, line := range lines {
		fmt.Fprintf(t, "%s %s\n", t.paint(dim, "      |"), t.paint(green, line))
	}
	for _, note := range b.notes() {
		t.sized("  ", 2, span{text: note})
	}
}

// source shows the field that a block points at, with a caret below, and what set it. A
// patch that is proposed has none.
func (t *text) source(b block) {
	f := b.first()
	if b[0].site() != nil || t.brief && missing(f) == "" {
		return
	}
	if f.Excerpt != "" {
		fmt.Fprintf(t, "%s %s\n", t.paint(dim, fmt.Sprintf("%5d |", f.Line)), f.Excerpt)
		fmt.Fprintf(t, "%s %s%s\n", t.paint(dim, "      |"), strings.Repeat(" ", f.Caret), t.paint(colors[f.Severity], "^"+missing(f)))
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

func (t *text) remarks(remarks []string) {
	for _, remark := range remarks {
		t.paragraph("", span{text: remark, color: dim})
	}
}

var colors = map[rules.Severity]string{rules.Error: red, rules.Warning: yellow, rules.Info: blue}
