package object

import (
	"bytes"
	"regexp"
	"slices"
)

// masked matches what can stand for a word that is not there: escapes in double quotes
// that give letters or join lines, and binary text.
var masked = regexp.MustCompile(`\\(?:[xuU]|\r?\n)|!!binary|!<|(?m:^%TAG)`)

// HidesWords reports whether a file may hold words that a search does not find in it.
func HidesWords(data []byte) bool { return masked.Match(data) || Wide(data) }

// Wide reports whether a document of a file is in UTF-16, which the parsers of Flux read.
func Wide(data []byte) bool {
	return slices.ContainsFunc([]string{"\xff\xfe", "\xfe\xff"}, func(mark string) bool {
		return bytes.HasPrefix(data, []byte(mark)) || bytes.Contains(data, []byte("\n"+mark))
	})
}
