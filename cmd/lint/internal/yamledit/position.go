package yamledit

import (
	"bytes"
	"unicode/utf8"
)

// position converts an offset in the document and reports whether the text
// stands exactly there.
func (d *Document) position(offset int) (pos Position, exact bool) {
	return d.File.position(d.start + offset)
}

// position converts an offset in the file. It is not exact in an embedded file
// that does not stand unchanged in its outer file.
func (f *File) position(offset int) (pos Position, exact bool) {
	if f.origin != nil {
		outer, exact := f.origin.offset(offset)
		pos, outerExact := f.origin.doc.File.position(outer)
		return pos, exact && outerExact
	}
	lines := f.lines()
	line := lines.lineOf(offset)
	start := lines.starts[line]
	if line == 0 && bytes.HasPrefix(f.Data(), bom) {
		start = min(len(bom), offset)
	}
	return Position{Line: line + 1, Column: utf8.RuneCount(f.Data()[start:offset]) + 1}, true
}

// offset converts an offset in the embedded file to one in the outer file.
func (o *origin) offset(inner int) (outer int, exact bool) {
	if o.outer == nil {
		return o.scalar, false
	}
	line := o.inner.lineOf(inner)
	if line >= len(o.outer) {
		return o.scalar, false
	}
	return o.outer[line] + inner - o.inner.starts[line], true
}

func (d *Document) syntaxError(f *fault) error {
	pos, _ := d.position(f.offset)
	return &SyntaxError{Line: pos.Line, Column: pos.Column, Message: f.message}
}
