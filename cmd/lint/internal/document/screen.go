package document

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Screen is the size of a terminal in columns and lines; zero if it is not known.
type Screen struct{ Width, Height int }

// A screen has as many lines as the terminal, but not fewer than can say something, and not
// more than people read at once.
const (
	LeastRows = 24
	mostRows  = 50
)

// Room returns how many lines may be written. One is left for the prompt.
func (s Screen) Room() int { return min(max(s.Height, LeastRows), mostRows) - 1 }

// longWord is how long a word is that is cut rather than left out: an address or a path.
const longWord = 24

// Clip returns the first rows of a text, and says that there are more.
func (s Screen) Clip(text string, most int) string {
	if s.Rows(text) <= most {
		return text
	}
	const more = " ..."
	var out string
	for line := range strings.Lines(text) {
		if s.Rows(out, line) > most {
			if word, _, _ := strings.Cut(strings.TrimSpace(line), " "); out == "" {
				out = line
			} else if long(word) {
				out = strings.TrimSuffix(out, "\n") + " " + word
			}
			break
		}
		out += line
	}
	out = strings.TrimSuffix(out, "\n")
	for s.Rows(out+more) > most {
		space := strings.LastIndex(out, " ")
		if space < 0 {
			break // one long word
		}
		if part := s.part(out[:space+1], out[space+1:], most); part != "" {
			return part + "\n"
		}
		out = out[:space]
	}
	return out + more + "\n"
}

// part returns as much of a last word as there is room for, if it is a long one; "" if not.
func (s Screen) part(before, word string, most int) string {
	if !long(word) {
		return ""
	}
	color, end := "", ""
	if m := painted().FindStringSubmatch(word); m != nil {
		color, word, end = m[1], m[2], m[3]
	}
	for runes := []rune(word); len(runes) >= longWord/2; runes = runes[:len(runes)-1] {
		if cut := before + color + string(runes) + "..." + end; s.Rows(cut) <= most {
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

// Rows counts the lines of the terminal that texts take.
func (s Screen) Rows(texts ...string) int {
	n := 0
	for line := range strings.Lines(strings.Join(texts, "")) {
		n++
		if wide := utf8.RuneCountInString(invisible().ReplaceAllString(strings.TrimSuffix(line, "\n"), "")); s.Width > 0 && wide > 0 {
			n += (wide - 1) / s.Width
		}
	}
	return n
}

// Wrap breaks a text that starts in a column where the terminal ends. It is at
// least one line, and is left alone where too little room remains.
func (s Screen) Wrap(text string, column int) []string {
	room := s.Width - column
	if room < 20 {
		return []string{text}
	}
	lines := []string{""}
	for word := range strings.SplitSeq(text, " ") {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(word) <= room:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}
