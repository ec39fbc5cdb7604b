package yamledit

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// replaceLines replaces the lines of an embedded file that differ from a text.
func (e *editor) replaceLines(inner *File, path []any, text []byte) error {
	s, err := e.textSlot(path)
	if err != nil {
		return err
	}
	have, want := bytes.Split(inner.Data(), []byte("\n")), bytes.Split(text, []byte("\n"))
	before, after := commonLines(have, want)
	from, ok := e.endOfInner(s.value, inner, before-1)
	to, ok2 := e.endOfInner(s.value, inner, len(have)-after-1)
	if !ok || !ok2 {
		return e.replace(s, string(text))
	}
	var lines []string
	for _, line := range want[before : len(want)-after] {
		lines = append(lines, string(line))
	}
	e.cut(from, to, e.style.join(indentLines(lines, e.blockIndent(s.value))))
	return nil
}

// commonLines returns how many lines two texts have in common at their
// beginning and at their end.
func commonLines(a, b [][]byte) (before, after int) {
	n := min(len(a), len(b))
	for before < n && bytes.Equal(a[before], b[before]) {
		before++
	}
	for after < n-before && bytes.Equal(a[len(a)-1-after], b[len(b)-1-after]) {
		after++
	}
	return before, after
}

// endOfInner returns where a line of an embedded file ends in the outer text.
// Line -1 is the header of the block scalar.
func (t *tree) endOfInner(scalar *yaml.Node, inner *File, line int) (int, bool) {
	if line < 0 {
		return t.endOfLine(t.offset(scalar)), true
	}
	o := inner.origin
	if line >= len(o.outer) {
		return 0, false
	}
	return t.endOfLine(o.outer[line] - o.doc.start), true
}
