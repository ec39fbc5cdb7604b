package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// writeText writes for people: what is found by what is to be edited, the worst first, each
// with the line it points at, what happens and what to write; then what could not be read,
// what could not be determined, and a summary. On a terminal it fits a screen.
func writeText(w io.Writer, r Report, opts Options) error {
	t := newText(w, opts)
	if opts.All || opts.Statistics {
		t.Height = 0
	}
	t.Sections(t.sections(r)...)
	return t.Flush()
}

// text writes reports for people.
type text struct {
	*document.Text
	opts Options
	// brief leaves out what a small screen has no room for.
	brief bool
}

func newText(w io.Writer, opts Options) *text {
	t := document.NewText(w, document.Screen{Width: opts.Width, Height: opts.Height})
	t.Color, t.Links = opts.Color, opts.FileURL != nil
	return &text{Text: t, opts: opts}
}

// drawn returns what is written to such a terminal.
func (t text) drawn(write func(*text)) string {
	return t.Drawn(func(to *document.Text) {
		t.Text = to
		write(&t)
	})
}

// lines writes a paragraph for each message.
func (t *text) lines(all []Line) {
	for _, l := range all {
		t.Paragraph("", document.Span{Text: l.at() + ":", Color: document.Bold}, document.Span{Text: l.Head + ":", Color: colors[l.Severity]}, document.Span{Text: l.Message})
	}
}

// entry writes blocks that are edited in the same documents.
func (t *text) entry(e entry) {
	for i, b := range e {
		t.block(b, i == len(e)-1)
	}
}

// block writes causes that say the same; the last of an entry with the releases that they concern.
func (t *text) block(b block, last bool) {
	f := b.first()
	t.sized("", 2, document.Span{Text: b.severities() + ":", Color: colors[f.Severity]}, document.Span{Text: t.opts.title(f), Color: document.Bold},
		document.Span{Text: "[" + f.Rule + "]", Color: document.Dim, URL: t.opts.ruleURL(f.Rule)})
	t.Paragraph("  ", document.Span{Text: "-->", Color: document.Dim}, document.Span{Text: b.causes[0].at(), Color: document.Bold, URL: t.fileURL(b.causes[0])})
	t.source(b)
	if title := t.opts.title(f); title != f.Message {
		t.sized("  ", 2, document.Span{Text: b.happens()})
	}
	for _, fact := range b.facts() {
		t.labelled(fact[0], fact[1])
	}
	t.help(b)
	t.concerned(b, last)
}

// concerned writes the further places of a block and, of the last one of an entry, the releases: some, or all.
func (t *text) concerned(b block, last bool) {
	if t.opts.All {
		t.everything(b)
		return
	}
	of, places := b.releases(mostNames), b.places(mostNames, strings.Clone)
	if t.brief {
		of, places = b.counted(""), ""
	}
	if of != "" && last {
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
			t.Paragraph("  ", document.Span{Text: b.elsewhereLabel() + ":", Color: document.Dim})
		}
		t.Paragraph("    ", document.Span{Text: strings.TrimSuffix(p.File+" "+p.What, " ")})
	}
}

func (t *text) line(e entry) {
	f, all := e[0].first(), e[0].findings
	what := e.rules()
	switch {
	case !f.ofOne():
	case width(all) == 1:
		what += " of " + f.Release.String()
	default:
		what += " of " + words.Count(width(all), "release")
	}
	t.Paragraph("  ", document.Span{Text: string(f.Severity) + ":", Color: colors[f.Severity]}, document.Span{Text: what + ":"},
		document.Span{Text: e[0].causes[0].at(), URL: t.fileURL(e[0].causes[0])})
}

// labelled writes a line of a block that has a name.
func (t *text) labelled(label, line string) {
	t.sized("  ", 1, document.Span{Text: label + ":", Color: document.Dim}, document.Span{Text: line})
}

// sized writes a paragraph of a block; in brief no more than some rows of it.
func (t *text) sized(indent string, most int, spans ...document.Span) {
	if !t.brief {
		t.Paragraph(indent, spans...)
		return
	}
	t.WriteString(t.Clip(t.drawn(func(t *text) { t.Paragraph(indent, spans...) }), most))
}

// help writes what to do, with the YAML below.
func (t *text) help(b block) {
	help, lines := t.opts.help(b)
	t.sized("  ", 2, document.Span{Text: "help:", Color: document.Green}, document.Span{Text: help})
	for _, line := range lines {
		fmt.Fprintf(t, "%s %s\n", t.Paint(document.Dim, "      |"), t.Paint(document.Green, line))
	}
	for _, note := range b.notes() {
		t.sized("  ", 2, document.Span{Text: note})
	}
}

// source shows the field that a block points at, with a caret below, and what set it. A
// patch that is proposed has none.
func (t *text) source(b block) {
	f := b.first()
	if b.causes[0].site() != nil || t.brief && missing(f) == "" {
		return
	}
	if f.Excerpt != "" {
		fmt.Fprintf(t, "%s %s\n", t.Paint(document.Dim, fmt.Sprintf("%5d |", f.Line)), f.Excerpt)
		fmt.Fprintf(t, "%s %s%s\n", t.Paint(document.Dim, "      |"), strings.Repeat(" ", f.Caret), t.Paint(colors[f.Severity], "^"+missing(f)))
	}
	for _, by := range b.setBy() {
		t.Paragraph("      ", document.Span{Text: "=", Color: document.Dim}, document.Span{Text: by})
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

func (t *text) remarks(remarks []string) {
	for _, remark := range remarks {
		t.Paragraph("", document.Span{Text: remark, Color: document.Dim})
	}
}

var colors = map[rules.Severity]string{rules.Error: document.Red, rules.Warning: document.Yellow, rules.Info: document.Blue}
