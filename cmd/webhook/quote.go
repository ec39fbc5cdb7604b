package main

import (
	"encoding/json"
	"maps"
	"slices"
)

// begin returns what is before an item of a list: its begin or a comma.
func begin(item int, list string) string {
	if item == 0 {
		return list
	}
	return ","
}

// appendMap appends texts by their keys as JSON.
func appendMap(to []byte, texts map[string]string) []byte {
	to = append(to, '{')
	for i, key := range slices.Sorted(maps.Keys(texts)) {
		to = appendQuoted(append(to, begin(i, "")...), key)
		to = appendQuoted(append(to, ':'), texts[key])
	}
	return append(to, '}')
}

// appendQuoted appends a text as JSON, as [json.Marshal] writes it.
func appendQuoted(to []byte, text string) []byte {
	begun := len(to)
	to = append(to, '"')
	from := 0
	for i := range len(text) {
		c := text[i]
		if !special(c) {
			continue
		}
		escaped := escapes[c]
		if escaped == "" {
			quoted, _ := json.Marshal(text) // a text cannot fail
			return append(to[:begun], quoted...)
		}
		to = append(append(to, text[from:i]...), escaped...)
		from = i + 1
	}
	return append(append(to, text[from:]...), '"')
}

// special reports whether a character may be another one in JSON.
func special(c byte) bool {
	return c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&'
}

// escapes are those of characters that messages have often.
var escapes = [256]string{'\n': `\n`, '"': `\"`, '\\': `\\`}

// simple reports whether a text is the same in JSON.
func simple(text []byte) bool {
	for _, c := range text {
		if c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// plain reports whether a text is not empty and the same in JSON.
func plain(text []byte) bool {
	for _, c := range text {
		if special(c) {
			return false
		}
	}
	return len(text) > 0
}
