package object

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// masked matches what can stand for a word that is not there: escapes in double quotes
// that give letters or join lines, binary text, and a kind or an apiVersion that is still to
// be made.
var masked = regexp.MustCompile(`\\(?:[xuU]|\r?\n)|!!binary|!<|(?m:^%TAG)|(?:kind|apiVersion)["']?\s*:[^\n]*(?:\$\{|ENC\[)`)

// Masked reports whether the kind or the apiVersion of an object is still to be made, from
// variables or by decryption.
func Masked(kind, apiVersion string) bool {
	text := kind + apiVersion
	return strings.Contains(text, "${") || strings.Contains(text, "ENC[")
}

// HidesWords reports whether a file may hold words that a search does not find in it.
func HidesWords(data []byte) bool { return masked.Match(data) || Wide(data) }

// Wide reports whether a document of a file is in UTF-16, which the parsers of Flux read.
func Wide(data []byte) bool {
	return slices.ContainsFunc([]string{"\xff\xfe", "\xfe\xff"}, func(mark string) bool {
		return bytes.HasPrefix(data, []byte(mark)) || bytes.Contains(data, []byte("\n"+mark))
	})
}
