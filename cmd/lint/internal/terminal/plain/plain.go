package plain

import (
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Package plain makes plain text of what a tree says. Names, values and errors
// come from strangers and may hold anything: escape sequences, line breaks,
// characters that reorder or hide others, commands to the runner of a job.
//
//   - [Line] and [Text] are what a terminal, a log or a comment may be given.
//   - [Copy] makes so of every string of a value, so that a format cannot forget one.
//   - [Markdown] is the same for a comment that is Markdown.
//   - [WriteJSON] writes JSON that loses nothing, and is as harmless in a log.
//   - [Writer] is the last guard of a stream of messages.
//
// Other syntax, as that of HTML, a format escapes itself.

// Line returns one line that only holds printable characters and steers neither a
// terminal nor a runner. White space becomes a space; other characters are escaped
// as in Go: \x1b, \u202e.
func Line(s string) string {
	if harmless(s) {
		return s
	}
	var b strings.Builder
	spaced := true // whether a command could begin here
	for i, r := range s {
		switch {
		case r == ' ' || r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case r == '#' && logCommand(s[i:]), r == ':' && spaced && (s[i:] == ":" || strings.HasPrefix(s[i:], "::")):
			b.WriteString(string(r) + `\`)
		case unicode.IsPrint(r):
			b.WriteRune(r) // U+FFFD for what is no UTF-8
		default:
			escaped := strconv.QuoteRune(r)
			b.WriteString(escaped[1 : len(escaped)-1])
		}
		spaced = unicode.IsSpace(r)
	}
	return b.String()
}

// Text does the same and keeps line breaks.
func Text(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Line(strings.TrimSuffix(line, "\r"))
	}
	return strings.Join(lines, "\n")
}

// Is reports whether s is a line that Line leaves as it is.
func Is(s string) bool { return Line(s) == s }

// harmless reports quickly what is so nearly always.
func harmless(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return !strings.Contains(s, "::") && !strings.Contains(s, "##") && !strings.HasSuffix(s, ":")
}

// logCommand reports whether a text begins as the commands that the runners of
// GitHub, Azure and TeamCity look for anywhere in a line: ##[group], ##vso[...].
// Those of GitHub that begin with :: must begin a line.
// https://github.com/actions/runner, src/Runner.Common/ActionCommand.cs
func logCommand[T string | []byte](s T) bool {
	if len(s) < 2 || s[0] != '#' || s[1] != '#' {
		return false
	}
	for i := 2; i < len(s); {
		r, size := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if !unicode.IsLetter(r) {
			return r == '['
		}
		i += size
	}
	return false
}

// Writer writes messages as [Text]. A message must be written at once.
type Writer struct{ io.Writer }

func (w Writer) Write(message []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, Text(string(message))); err != nil {
		return 0, err
	}
	return len(message), nil
}
