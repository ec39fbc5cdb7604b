package object

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// markers stand for text that is made later: a variable, and what is decrypted.
var markers = []string{"${", "ENC["}

// Masked reports whether the kind or the apiVersion of an object is still to be made, from
// variables or by decryption.
func Masked(kind, apiVersion string) bool {
	return slices.ContainsFunc(markers, func(m string) bool { return strings.Contains(kind+apiVersion, m) })
}

// Called returns the kind and the name of an object, as far as people can read them.
func Called(obj map[string]any) string {
	kind, name := String(obj, "kind"), FullName(obj)
	switch {
	case Encrypted(name):
		return "an encrypted object"
	case Encrypted(kind):
		return "object " + name
	}
	return kind + " " + name
}

// Encrypted reports whether a part of a name is encrypted.
func Encrypted(name string) bool { return strings.Contains(name, markers[1]) }

// hidesWords reports whether a file may hold words that a search does not find in it:
// escapes in double quotes that give letters or join lines, binary text, UTF-16, and a kind
// or an apiVersion that is still to be made.
func hidesWords(data []byte) bool {
	return escapes(data) || has(data, "!!binary") || has(data, "!<") || has(data, "%TAG") && startsLine(data, "%TAG") || Wide(data) || masks(data)
}

// has is [bytes.Contains] for a text whose first character is rare.
func has(data []byte, text string) bool {
	at := bytes.IndexByte(data, text[0])
	return at >= 0 && bytes.Contains(data[at:], []byte(text))
}

// masked matches the kind or the apiVersion of an object, with a marker.
var masked = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:kind|apiVersion)["']?\s*:[^\n]*(?:\$\{|ENC\[)`) })

// masks reports whether a file may hold an object that is [Masked]. It looks only at
// lines with a marker, and at what ends before them: many files have variables, and few a
// key for which one stands.
func masks(data []byte) bool {
	return slices.ContainsFunc(markers, func(m string) bool { return masksBy(data, []byte(m)) })
}

func masksBy(data, marker []byte) bool {
	for from := max(bytes.IndexByte(data, marker[0]), 0); ; {
		at := bytes.Index(data[from:], marker)
		if at < 0 {
			return false
		}
		line, rest, _ := bytes.Cut(data[from+at:], []byte("\n"))
		begin := bytes.LastIndexByte(data[:from+at], '\n') + 1
		end := len(data) - len(rest)
		last := from + at + bytes.LastIndex(line, marker) + len(marker)
		before := len(bytes.TrimRight(data[:begin], " \t\n\f\r"))
		if masked().Match(data[max(before-len(`apiVersion"`), 0):last]) {
			return true
		}
		from = end
	}
}

// escapes reports whether there is an escape that can stand for a letter, or that joins
// two lines. It looks only at backslashes: files have few.
func escapes(data []byte) bool {
	for {
		_, after, found := bytes.Cut(data, []byte(`\`))
		if !found {
			return false
		}
		if len(after) > 0 && slices.Contains([]byte("xuU\n"), after[0]) || bytes.HasPrefix(after, []byte("\r\n")) {
			return true
		}
		data = after
	}
}

// Wide reports whether a document of a file is in UTF-16, which the parsers of Flux read.
func Wide(data []byte) bool {
	return has(data, "\xff\xfe") && startsLine(data, "\xff\xfe") || has(data, "\xfe\xff") && startsLine(data, "\xfe\xff")
}

func startsLine(data []byte, text string) bool {
	return bytes.HasPrefix(data, []byte(text)) || bytes.Contains(data, []byte("\n"+text))
}

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
