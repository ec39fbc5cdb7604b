package editor

import (
	"bytes"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// text is the content of a file.
type text []byte

// line returns a line, counted from 1, without its end; empty if there is none.
func (t text) line(n int) []byte {
	for ; n > 1; n-- {
		end := bytes.IndexByte(t, '\n')
		if end < 0 {
			return nil
		}
		t = t[end+1:]
	}
	line, _, _ := bytes.Cut(t, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// at returns the position of a line and a column, which is counted in characters from 1.
func (t text) at(line, column int) position {
	units := 0
	for rest := t.line(line); column > 1 && len(rest) > 0; column-- {
		r, size := utf8.DecodeRune(rest)
		rest, units = rest[size:], units+max(1, utf16.RuneLen(r))
	}
	return position{Line: max(0, line-1), Character: units}
}

func (t text) column(p position) int {
	column, units := 1, 0
	for rest := t.line(p.Line + 1); units < p.Character && len(rest) > 0; column++ {
		r, size := utf8.DecodeRune(rest)
		rest, units = rest[size:], units+max(1, utf16.RuneLen(r))
	}
	return column
}

// rest returns the extent from a column to the end of its line, or the line without indentation.
func (t text) rest(line, column int) extent {
	shown := bytes.TrimRight(t.line(line), " \t")
	if column == 0 {
		column = 1 + len(shown) - len(bytes.TrimLeft(shown, " \t"))
	}
	end := t.at(line, 1+utf8.RuneCount(shown))
	start := t.at(line, column)
	if start.Character >= end.Character {
		end = start
	}
	return extent{start, end}
}

// nameOf returns the absolute name of the file that a URI names; false if it names none.
func nameOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return "", false
	}
	name := u.Path
	if len(name) > 2 && name[0] == '/' && name[2] == ':' { // /c:/fleet
		name = name[1:]
	}
	return filepath.Clean(filepath.FromSlash(name)), true
}

func uriOf(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	path := filepath.ToSlash(name)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
