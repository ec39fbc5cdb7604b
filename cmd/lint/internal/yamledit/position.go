package yamledit

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// editorBreak gives the length of the line break that text begins with, 0 if
// none, as editors and reports count lines.
func editorBreak(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("\r\n")):
		return 2
	case len(text) > 0 && (text[0] == '\n' || text[0] == '\r'):
		return 1
	}
	return 0
}

// yamlBreak is editorBreak as the YAML parser counts lines: it takes three more
// characters for line breaks.
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

// lineStarts gives the offset at which each line begins. Text that ends with
// a line break has an empty last line.
func lineStarts(text []byte, lineBreak func([]byte) int) []int {
	starts := []int{0}
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
	return starts
}

// lineOf gives the index of the line that an offset is on.
func lineOf(starts []int, offset int) int {
	return sort.SearchInts(starts, offset+1) - 1
}

// lineEnd gives the offset after the line break of a line.
func lineEnd(text []byte, starts []int, line int) int {
	if line+1 < len(starts) {
		return starts[line+1]
	}
	return len(text)
}

// position turns an offset into a position. It is not exact in an embedded file
// that does not stand in its outer file as it is.
func (f *File) position(offset int) (Position, bool) {
	if f.origin != nil {
		outer, exact := f.origin.offset(offset)
		p, outerExact := f.origin.doc.File.position(outer)
		return p, exact && outerExact
	}
	line := lineOf(f.lines, offset)
	start := f.lines[line]
	if line == 0 && bytes.HasPrefix(f.Data, bom) {
		start = min(len(bom), offset)
	}
	return Position{Line: line + 1, Column: utf8.RuneCount(f.Data[start:offset]) + 1}, true
}

// origin says where the text of an embedded file stands in its outer file.
type origin struct {
	doc    *Document // of the outer file
	path   []any     // to the scalar in it
	scalar int       // offset of the scalar in the outer file
	inner  []int     // where each line begins in the embedded file
	outer  []int     // and in the outer file; nil if it does not stand there as it is
}

func (o *origin) offset(inner int) (outer int, exact bool) {
	if o.outer == nil {
		return o.scalar, false
	}
	line := lineOf(o.inner, inner)
	if line >= len(o.outer) {
		return o.scalar, false
	}
	return o.outer[line] + inner - o.inner[line], true
}
