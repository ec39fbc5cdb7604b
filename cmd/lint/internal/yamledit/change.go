package yamledit

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

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

// change edits a document so that it holds the expected value.
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
