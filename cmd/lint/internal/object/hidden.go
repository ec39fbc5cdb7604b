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
