package yamledit

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

var errNotField = errors.New("only a field of a document can be set")

func (e *editor) replace(s slot, value any) error {
	old := s.value
	switch {
	case s.parent == nil:
		return errNotField
	case old.Kind == yaml.AliasNode:
		return e.refuse(old, fmt.Sprintf("the value is the anchor %q, which other fields may use too", old.Value))
	case isFlow(s.parent):
		e.replaceInline(s, flowLike(old, value, isJSON(s.parent)))
	case isFilled(value) && isFlow(old) && len(old.Content) > 0:
		e.replaceInline(s, flow(value, isJSON(old)))
	case !isFilled(value):
		e.replaceInline(s, e.style.scalarLike(old, value, e.column(s.parent), e.literalColumn(s)))
	case s.key == nil:
		e.replaceItem(s, value)
	default:
		e.replaceBlock(s, value)
	}
	return nil
}

// literalColumn returns the indentation of the lines of a block scalar in a
// slot.
func (e *editor) literalColumn(s slot) int {
	if isBlockScalar(s.value) {
		if n := e.blockIndent(s.value); n > 0 {
			return n
		}
	}
	return e.column(s.parent) + e.style.step
}

// replaceInline writes text that begins on the line of its key.
func (e *editor) replaceInline(s slot, text string) {
	old := s.value
	at, end := e.offset(old), e.end(old)
	switch {
	case isEmpty(old):
		e.cut(end, end, " "+text)
	case s.key != nil && isBlock(old):
		colon := e.afterColon(s.key)
		e.cut(colon, colon, " "+text)
		e.cut(e.endOfLineBefore(at), end, "")
	default:
		e.cut(at, end, e.closeLiteral(end, text))
	}
}

// closeLiteral ends a literal at the end of the file with a line break, unless
// its header strips it.
func (e *editor) closeLiteral(end int, text string) string {
	if end == len(e.text) && strings.HasPrefix(text, "|") && !strings.HasPrefix(text, "|-") {
		return text + e.style.newline
	}
	return text
}

// replaceItem writes a mapping or a list after the dash of an item.
func (e *editor) replaceItem(s slot, value any) {
	at, end := e.offset(s.value), e.end(s.value)
	column, gap := e.columnAt(at), ""
	if isEmpty(s.value) {
		column, gap = e.column(s.parent)+2, " "
	}
	lines := e.style.block(value, column)
	lines[0] = gap + lines[0][column:]
	e.cut(at, end, e.style.join(lines)[len(e.style.newline):])
}

// replaceBlock writes a mapping or a list on the lines after its key.
func (e *editor) replaceBlock(s slot, value any) {
	at, end := e.offset(s.value), e.end(s.value)
	text := e.style.join(e.style.block(value, e.column(s.parent)+e.style.stepOf(value)))
	if isBlock(s.value) {
		e.cut(e.endOfLineBefore(at), end, text)
		return
	}
	e.cut(e.afterColon(s.key), end, "")
	line := e.endOfLine(end)
	e.cut(line, line, text)
}

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

// edit makes an edit in the innermost text of an address.
func edit(data []byte, at Address, make func(d *Document, path []any) ([]byte, error)) ([]byte, error) {
	if len(at) == 0 {
		return nil, errors.New("no field is named")
	}
	file, err := Parse("", data)
	if err != nil {
		return nil, err
	}
	outer := at[0]
	if outer.Document < 0 || outer.Document >= len(file.Documents) {
		return nil, fmt.Errorf("no document %d in a file of %d", outer.Document, len(file.Documents))
	}
	doc := file.Documents[outer.Document]
	if len(at) == 1 {
		return make(doc, outer.Path)
	}
	inner, ok := doc.Embedded(outer.Path...)
	if !ok {
		return nil, errors.New("no text is written there")
	}
	text, err := edit(inner.Data(), at[1:], make)
	if err != nil {
		pos, _ := doc.Value(outer.Path...)
		return nil, fmt.Errorf("in the text that begins on line %d: %w", pos.Line, err)
	}
	return doc.change(
		func(have any) (any, error) { return withField(have, outer.Path, string(text)) },
		func(e *editor) error {
			if inner.origin.outer == nil {
				return e.replaceText(outer.Path, string(text))
			}
			return e.replaceLines(inner, outer.Path, text)
		})
}

func (d *Document) change(expect func(any) (any, error), edit func(*editor) error) ([]byte, error) {
	have, err := d.Decode()
	if err != nil {
		return nil, err
	}
	want, err := expect(have)
	if err != nil {
		return nil, err
	}
	if reflect.DeepEqual(have, want) {
		return d.File.Data(), nil
	}
	return d.edited(want, edit)
}

var errOtherChange = errors.New("the edit would change more than this one field")

// edited returns the file of a document after an edit. It refuses a result that does not hold
// exactly the wanted value, or in which the bytes of another document differ.
func (d *Document) edited(want any, edit func(*editor) error) ([]byte, error) {
	e := newEditor(d)
	if err := edit(e); err != nil {
		return nil, err
	}
	text, err := e.apply()
	if err != nil {
		return nil, err
	}
	data := d.File.Data()
	out := slices.Concat(data[:d.start], text, data[d.end:])
	after, err := Parse("", out)
	if err != nil {
		return nil, err
	}
	before := d.File.Documents
	if len(after.Documents) != len(before) {
		return nil, errOtherChange
	}
	for i, other := range after.Documents {
		if i != d.Index && !bytes.Equal(other.bytes(), before[i].bytes()) {
			return nil, errOtherChange
		}
	}
	got, err := after.Documents[d.Index].Decode()
	if err != nil {
		return nil, fmt.Errorf("the edit would break the file: %w", err)
	}
	if !reflect.DeepEqual(got, want) {
		return nil, errOtherChange
	}
	return out, nil
}
