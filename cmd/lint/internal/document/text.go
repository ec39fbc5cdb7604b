// Package document writes what reports are made of, whoever makes them: sections, of which a screen shows what it has room
// for (section.go), paragraphs, labelled lines, code and parts that are folded away. A report says what there is; how a terminal
// shows it ([Text], [Screen]) and how Markdown does (markdown.go) is said here once.
package document

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Text writes to a terminal, or to a file as to one.
type Text struct {
	*bufio.Writer
	Screen
	// Color switches colours on, Links addresses behind words.
	Color, Links bool
}

// NewText returns what writes to w as on a screen.
func NewText(w io.Writer, on Screen) *Text { return &Text{Writer: bufio.NewWriter(w), Screen: on} }

// Drawn returns what is written to such a terminal.
func (t Text) Drawn(write func(*Text)) string {
	var out strings.Builder
	t.Writer = bufio.NewWriter(&out)
	write(&t)
	_ = t.Flush() // to memory
	return out.String()
}

// Span is text of one colour, and a link; both empty for none.
type Span struct{ Text, Color, URL string }

// Paragraph writes spans with spaces between them, in lines no wider than the terminal.
func (t *Text) Paragraph(indent string, spans ...Span) {
	t.WriteString(indent)
	used, first := len(indent), true
	for _, s := range spans {
		for word := range strings.SplitSeq(s.Text, " ") {
			width := utf8.RuneCountInString(word)
			switch {
			case first:
			case t.Width > 0 && used+1+width > t.Width:
				t.WriteString("\n" + indent + "    ")
				used = len(indent) + 4
			default:
				t.WriteString(" ")
				used++
			}
			t.WriteString(t.link(s.URL, t.Paint(s.Color, word)))
			used, first = used+width, false
		}
	}
	t.WriteString("\n")
}

// Linef writes a line without spaces at its end.
func (t *Text) Linef(format string, args ...any) {
	fmt.Fprintln(t, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

// Labelled writes what is said of something, below it: "  next    Flux tries again".
func (t *Text) Labelled(label, text string) { t.Linef("  %-7s %s", label, text) }

// The colours of terminals.
const (
	Bold   = "1"
	Dim    = "2"
	Red    = "31"
	Green  = "32"
	Yellow = "33"
	Blue   = "34"
)

// Paint returns text in a colour.
func (t *Text) Paint(color, s string) string {
	if !t.Color || color == "" || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

// link makes text a link, as terminals show them (OSC 8).
func (t *Text) link(url, text string) string {
	if url == "" || !t.Links {
		return text
	}
	return "\x1b]8;;" + url + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}
