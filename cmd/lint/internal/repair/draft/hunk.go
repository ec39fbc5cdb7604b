package draft

import (
	"bytes"
	"unicode/utf8"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

// Hunks returns what the edits change in whole lines, one hunk for each file.
func (f *Files) Hunks() []report.Hunk {
	var hunks []report.Hunk
	for _, file := range f.changed() {
		from, cut, text := differing(file.old, file.new)
		h := report.Hunk{File: file.name, Text: plain.Verbatim(text)}
		h.Line, h.Column = position(file.old, from)
		h.ToLine, h.ToColumn = position(file.old, from+cut)
		if anyHidden(file.new, h.Line, h.Line+bytes.Count(text, []byte("\n"))-1) {
			return nil // of one edit in several files, all or none
		}
		hunks = append(hunks, h)
	}
	return hunks
}

// differing leaves out the lines that begin and end both texts. It returns where
// the rest begins, how much of the old text that is, and the new text.
func differing(old, new []byte) (from, cut int, text []byte) {
	was, is := bytes.SplitAfter(old, []byte("\n")), bytes.SplitAfter(new, []byte("\n"))
	for len(was) > 0 && len(is) > 0 && bytes.Equal(was[0], is[0]) {
		from += len(was[0])
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && bytes.Equal(was[len(was)-1], is[len(is)-1]) {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	return from, len(bytes.Join(was, nil)), bytes.Join(is, nil)
}

// position returns line and column of an offset.
func position(text []byte, offset int) (line, column int) {
	before := text[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}
