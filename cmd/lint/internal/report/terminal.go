package report

import (
	"bufio"
	"regexp"
	"strings"
	"sync"
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

// longWord is how long a word is that is cut rather than left out: an address or a path.
const longWord = 24

// clip returns the first rows of a text, and says that there are more.
func (t *text) clip(text string, most int) string {
	if t.rows(text) <= most {
		return text
	}
	const more = " ..."
	var out string
	for line := range strings.Lines(text) {
		if t.rows(out, line) > most {
			if word, _, _ := strings.Cut(strings.TrimSpace(line), " "); long(word) {
				out = strings.TrimSuffix(out, "\n") + " " + word
			}
			break
		}
		out += line
	}
	out = strings.TrimSuffix(out, "\n")
	for t.rows(out+more) > most {
		space := strings.LastIndex(out, " ")
		if space < 0 {
			break // one long word
		}
		if part := t.part(out[:space+1], out[space+1:], most); part != "" {
			return part + "\n"
		}
		out = out[:space]
	}
	return out + more + "\n"
}

// part returns as much of a last word as there is room for, if it is a long one; "" if not.
func (t *text) part(before, word string, most int) string {
	if !long(word) {
		return ""
	}
	color, end := "", ""
	if m := painted().FindStringSubmatch(word); m != nil {
		color, word, end = m[1], m[2], m[3]
	}
	for runes := []rune(word); len(runes) >= longWord/2; runes = runes[:len(runes)-1] {
		if cut := before + color + string(runes) + "..." + end; t.rows(cut) <= most {
			return cut
		}
	}
	return ""
}

// painted is a word of one colour.
var painted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\x1b\[[0-9;]*m)([^\x1b]*)(\x1b\[0m)$`) })

// long reports whether a word may be cut. A link may not.
func long(word string) bool {
	text := painted().ReplaceAllString(word, "$2")
	return utf8.RuneCountInString(text) > longWord && !strings.Contains(text, "\x1b")
}

// invisible are the colours and links of a terminal.
var invisible = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\`) })

// rows counts the lines of the terminal that texts take.
func (t *text) rows(texts ...string) int {
	n := 0
	for line := range strings.Lines(strings.Join(texts, "")) {
		n++
		if wide := utf8.RuneCountInString(invisible().ReplaceAllString(strings.TrimSuffix(line, "\n"), "")); t.opts.Width > 0 && wide > 0 {
			n += (wide - 1) / t.opts.Width
		}
	}
	return n
}
