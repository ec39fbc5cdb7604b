package yamledit

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit/internal/quick"
)

var bom = []byte("\ufeff")

// lines is a text and the offset at which each of its lines begins. Offsets
// count bytes, lines count from 0. Text that ends with a line break has an
// empty last line.
type lines struct {
	text   []byte
	starts []int
}

// newLines finds the lines of a text. The line break is [editorBreak] or
// [yamlBreak].
func newLines(text []byte, lineBreak func([]byte) int) lines {
	starts := make([]int, 1, bytes.Count(text, []byte("\n"))+2)
	if quick.IsPrintable(text) { // which has no other line breaks
		for end := bytes.IndexByte(text, '\n'); end >= 0; end = bytes.IndexByte(text[starts[len(starts)-1]:], '\n') {
			starts = append(starts, starts[len(starts)-1]+end+1)
		}
		return lines{text: text, starts: starts}
	}
	for i := 0; i < len(text); {
		if c := text[i]; c != '\n' && c != '\r' && c < 0x80 {
			i++
			continue
		}
		if n := lineBreak(text[i:]); n > 0 {
			i += n
			starts = append(starts, i)
			continue
		}
		i++
	}
	return lines{text: text, starts: starts}
}

// editorBreak returns the length of the line break that a text begins with, 0
// if there is none. Editors and reports count lines this way.
func editorBreak(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("\r\n")):
		return 2
	case len(text) > 0 && (text[0] == '\n' || text[0] == '\r'):
		return 1
	}
	return 0
}

// yamlBreak is [editorBreak] for the YAML parser, which knows three more line
// breaks.
func yamlBreak(text []byte) int {
	if n := editorBreak(text); n > 0 {
		return n
	}
	for _, b := range []string{"\u0085", "\u2028", "\u2029"} {
		if bytes.HasPrefix(text, []byte(b)) {
			return len(b)
		}
	}
	return 0
}

// trimBreak cuts a text before its first line break.
func trimBreak(text []byte) []byte {
	for i := range text {
		if yamlBreak(text[i:]) > 0 {
			return text[:i]
		}
	}
	return text
}

func (l lines) lineOf(offset int) int {
	return sort.SearchInts(l.starts, offset+1) - 1
}

// nextLine returns the offset at which the line after a line begins.
func (l lines) nextLine(line int) int {
	if line+1 < len(l.starts) {
		return l.starts[line+1]
	}
	return len(l.text)
}

// content returns a line without its break.
func (l lines) content(line int) []byte {
	return trimBreak(l.text[l.starts[line]:l.nextLine(line)])
}

// startOfLine returns the offset at which the line of an offset begins.
func (l lines) startOfLine(at int) int { return l.starts[l.lineOf(at)] }

// endOfLine returns the offset of the next line break, or of the end.
func (l lines) endOfLine(at int) int {
	for ; at < len(l.text); at++ {
		if yamlBreak(l.text[at:]) > 0 {
			return at
		}
	}
	return len(l.text)
}

func (l lines) endOfLineBefore(at int) int {
	if line := l.lineOf(at); line > 0 {
		return l.endOfLine(l.starts[line-1])
	}
	return 0
}

// columnAt returns the number of characters between the start of the line and
// an offset.
func (l lines) columnAt(at int) int {
	return utf8.RuneCount(l.text[l.startOfLine(at):at])
}

// indentFrom returns the indentation of the first line, from a line on, that
// holds more than spaces.
func (l lines) indentFrom(line int) (int, bool) {
	for ; line < len(l.starts); line++ {
		content := l.content(line)
		if spaces := len(content) - len(bytes.TrimLeft(content, " ")); spaces < len(content) {
			return spaces, true
		}
	}
	return 0, false
}

func isSpace(c byte) bool { return bytes.IndexByte([]byte(" \t\r\n"), c) >= 0 }

// endOfWord returns the offset of the next space.
func (l lines) endOfWord(at int) int {
	for at < len(l.text) && !isSpace(l.text[at]) {
		at++
	}
	return at
}

// skipSpace returns the offset after space, line breaks and comments.
func (l lines) skipSpace(at int) int {
	for at < len(l.text) {
		switch n := yamlBreak(l.text[at:]); {
		case n > 0:
			at += n
		case isSpace(l.text[at]):
			at++
		case l.text[at] == '#' && (at == 0 || isSpace(l.text[at-1])):
			at = l.endOfLine(at)
		default:
			return at
		}
	}
	return at
}

// skipProperties returns the offset of what follows the anchor and the tag of
// a node.
func (l lines) skipProperties(at int) int {
	for at < len(l.text) && (l.text[at] == '&' || l.text[at] == '!') {
		at = l.skipSpace(l.endOfWord(at))
	}
	return at
}

// endOfProperties returns the offset after the anchor and the tag of a node
// that has no value.
func (l lines) endOfProperties(at int) int {
	end := at
	for at < len(l.text) && (l.text[at] == '&' || l.text[at] == '!') {
		end = l.endOfWord(at)
		for at = end; at < len(l.text) && (l.text[at] == ' ' || l.text[at] == '\t'); {
			at++
		}
	}
	return end
}

// endOfDouble returns the offset after the closing double quote.
func (l lines) endOfDouble(at int) int {
	for ; at < len(l.text); at++ {
		switch l.text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(l.text)
}

// endOfSingle returns the offset after the closing single quote.
func (l lines) endOfSingle(at int) int {
	for ; at < len(l.text); at++ {
		if l.text[at] != '\'' {
			continue
		}
		if at+1 == len(l.text) || l.text[at+1] != '\'' {
			return at + 1
		}
		at++
	}
	return len(l.text)
}
