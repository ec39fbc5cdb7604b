package object

import (
	"bytes"
	"regexp"
	"slices"
	"sync"
)

// Flux is installed with hundreds of kilobytes of definitions and roles, which have all the words that are searched for
// and none of the objects.

// idle are the kinds of documents that are left out of searches: nothing in them is an object.
var idle = [][]byte{[]byte("kind: CustomResourceDefinition"), []byte("kind: ClusterRole")}

// field matches the beginning of a line that begins a field, or an item of a list, of a document's root.
var field = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[A-Za-z]+:|- )`) })

// breaks are what ends a line for a YAML parser, beside a line feed.
var breaks = [][]byte{[]byte("\r"), []byte("\u0085"), []byte("\u2028"), []byte("\u2029")}

// withoutIdle returns a text without the documents that certainly are of an idle kind.
func withoutIdle(data []byte) []byte {
	if !slices.ContainsFunc(idle, func(kind []byte) bool { return bytes.Contains(data, append([]byte("\n"), kind...)) }) {
		return data
	}
	var out []byte
	for start := 0; start < len(data); {
		end := len(data)
		if next := bytes.Index(data[start:], []byte("\n---")); next >= 0 {
			end = start + next + 1
		}
		if !isIdle(data[start:end]) {
			out = append(out, data[start:end]...)
		}
		start = end
	}
	return out
}

// isIdle reports whether a document, with the marker before it, is of an idle kind: a mapping in block style, whose
// fields begin their lines, one of them the kind.
func isIdle(text []byte) bool {
	if slices.ContainsFunc(breaks, func(other []byte) bool { return bytes.Contains(text, other) }) {
		return false
	}
	kinds, begun := 0, false
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\n")
		switch {
		case len(line) == 0 || line[0] == '#' || !begun && bytes.Equal(line, []byte("---")):
			continue
		case line[0] == ' ' && begun:
			continue
		case !field().Match(line) || !begun && line[0] == '-':
			return false
		}
		begun = true
		if bytes.HasPrefix(line, []byte("kind:")) {
			if kinds++; !slices.ContainsFunc(idle, func(kind []byte) bool { return bytes.Equal(kind, line) }) {
				return false
			}
		}
	}
	return kinds == 1
}
