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

// Address names a field of a file from the outside in: each step but the last
// leads to a string that holds documents of its own.
type Address []Step

// Step is a path in a document, by its index.
type Step struct {
	Document int
	Path     []any
}

// Address gives the address of the field at a path, written or not.
func (d *Document) Address(path ...any) Address {
	step := Step{Document: d.Index, Path: slices.Concat(d.at, path)}
	if o := d.File.origin; o != nil {
		return append(o.doc.Address(o.path...), step)
	}
	return Address{step}
}

// Holds tells whether a field is at another address or below it.
func (a Address) Holds(field Address) bool {
	last := len(a) - 1
	if last < 0 || len(field) <= last || !reflect.DeepEqual(a[:last], field[:last]) || a[last].Document != field[last].Document {
		return false
	}
	path, below := a[last].Path, field[last].Path
	return len(path) <= len(below) && slices.Equal(path, below[:len(path)])
}

// SetAt is [Set] at an address: a string that holds the field is changed as a
// file would be, and of a literal block scalar only the lines that differ.
func SetAt(data []byte, at Address, value any) ([]byte, error) {
	return editAt(data, at, func(data []byte, s Step) ([]byte, error) { return Set(data, s.Document, s.Path, value) })
}

// DeleteAt is [Delete] at an address.
func DeleteAt(data []byte, at Address) ([]byte, error) {
	return editAt(data, at, func(data []byte, s Step) ([]byte, error) { return Delete(data, s.Document, s.Path) })
}

func editAt(data []byte, at Address, edit func([]byte, Step) ([]byte, error)) ([]byte, error) {
	if len(at) == 0 {
		return nil, errors.New("no field is named")
	}
	outer := at[0]
	if len(at) == 1 {
		return edit(data, outer)
	}
	file, err := Parse("", data)
	if err != nil {
		return nil, err
	}
	if outer.Document < 0 || outer.Document >= len(file.Documents) {
		return nil, fmt.Errorf("no document %d in a file of %d", outer.Document, len(file.Documents))
	}
	doc := file.Documents[outer.Document]
	inner, ok := doc.Embedded(outer.Path...)
	if !ok {
		return nil, errors.New("no text is written there")
	}
	text, err := editAt(inner.Data, at[1:], edit)
	if err != nil {
		pos, _ := doc.Value(outer.Path...)
		return nil, fmt.Errorf("in the text that begins on line %d: %w", pos.Line, err)
	}
	if inner.origin.outer == nil {
		return Set(data, outer.Document, outer.Path, string(text))
	}
	return change(data, outer.Document,
		func(have any) (any, error) { return with(have, outer.Path, string(text)) },
		func(e *editor) error { return e.retext(inner, outer.Path, text) })
}

// retext writes the lines of an embedded file that differ.
func (e *editor) retext(inner *File, path []any, text []byte) error {
	s := slot{value: e.root}
	for _, step := range path {
		next, ok, err := e.own(s.value, step)
		if err != nil {
			return err
		}
		if !ok {
			return errors.New("the text is not written here")
		}
		s = next
	}
	if s.value.Kind != yaml.ScalarNode {
		return e.refuse(s.value, "the text comes from an anchor, which other fields may use too")
	}
	have, want := bytes.Split(inner.Data, []byte("\n")), bytes.Split(text, []byte("\n"))
	before, after := alike(have, want)
	from, ok := e.innerEnd(s.value, inner, before-1)
	to, ok2 := e.innerEnd(s.value, inner, len(have)-after-1)
	if !ok || !ok2 {
		return e.replace(s, string(text))
	}
	margin := strings.Repeat(" ", e.blockIndent(s.value))
	var lines []string
	for _, line := range want[before : len(want)-after] {
		if len(line) > 0 {
			lines = append(lines, margin+string(line))
		} else {
			lines = append(lines, "")
		}
	}
	e.cut(from, to, e.style.join("", lines))
	return nil
}

// alike counts the lines that two texts begin and end with in common.
func alike(a, b [][]byte) (before, after int) {
	n := min(len(a), len(b))
	for before < n && bytes.Equal(a[before], b[before]) {
		before++
	}
	for after < n-before && bytes.Equal(a[len(a)-1-after], b[len(b)-1-after]) {
		after++
	}
	return before, after
}

// innerEnd gives the end of a line of an embedded file in the text around it;
// line -1 is the one with the mark of the block.
func (e *editor) innerEnd(scalar *yaml.Node, inner *File, line int) (int, bool) {
	if line < 0 {
		return e.endOfLine(e.offset(scalar)), true
	}
	o := inner.origin
	if line >= len(o.outer) {
		return 0, false
	}
	return e.endOfLine(o.outer[line] - o.doc.start), true
}
