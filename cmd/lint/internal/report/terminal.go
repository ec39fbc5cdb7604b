package report

import (
	"bufio"
	"strings"
	"unicode/utf8"
)

// text writes paragraphs to a terminal, or to a file as to one.
type text struct {
	*bufio.Writer
	opts Options
	// brief leaves out what a small screen has no room for.
	brief bool
}

// drawn returns what is written to such a terminal.
func (t text) drawn(write func(*text)) string {
	var out strings.Builder
	t.Writer = bufio.NewWriter(&out)
	write(&t)
	_ = t.Flush() // to memory
	return out.String()
}

// span is text of one colour, and a link; both empty for none.
type span struct{ text, color, url string }

// paragraph writes spans with spaces between them, in lines no wider than the
// terminal.
func (t *text) paragraph(indent string, spans ...span) {
	t.WriteString(indent)
	used, first := len(indent), true
	for _, s := range spans {
		for word := range strings.SplitSeq(s.text, " ") {
			width := utf8.RuneCountInString(word)
			switch {
			case first:
			case t.opts.Width > 0 && used+1+width > t.opts.Width:
				t.WriteString("\n" + indent + "    ")
				used = len(indent) + 4
			default:
				t.WriteString(" ")
				used++
			}
			t.WriteString(t.link(s.url, t.paint(s.color, word)))
			used, first = used+width, false
		}
	}
	t.WriteString("\n")
}

// lines writes a paragraph for each message.
func (t *text) lines(all []Line) {
	for _, l := range all {
		t.paragraph("", span{text: l.at() + ":", color: bold}, span{text: l.Head + ":", color: colors[l.Severity]}, span{text: l.Message})
	}
}

// The colours of terminals.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	blue   = "34"
)

// link makes text a link, as terminals show them (OSC 8).
func (t *text) link(url, text string) string {
	if url == "" || t.opts.FileURL == nil {
		return text
	}
	return "\x1b]8;;" + url + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

func (t *text) paint(color, s string) string {
	if !t.opts.Color || color == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}
