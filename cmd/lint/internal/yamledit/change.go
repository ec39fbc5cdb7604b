package yamledit

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// change edits a document. It refuses a result that does not hold exactly the
// expected value, or in which the bytes of another document differ.
func change(data []byte, index int, expect func(any) (any, error), edit func(*editor) error) ([]byte, error) {
	f, err := Parse("", data)
	if err != nil {
		return nil, err
	}
	if index < 0 || index >= len(f.Documents) {
		return nil, fmt.Errorf("no document %d in a file of %d", index, len(f.Documents))
	}
	d := f.Documents[index]
	have, err := d.Decode()
	if err != nil {
		return nil, err
	}
	want, err := expect(have)
	if err != nil {
		return nil, err
	}
	if reflect.DeepEqual(have, want) {
		return data, nil
	}
	text, err := spliced(d, edit)
	if err != nil {
		return nil, err
	}
	out := slices.Concat(data[:d.start], text, data[d.end:])
	if err := verify(d, out, want); err != nil {
		return nil, err
	}
	return out, nil
}

// spliced returns the text of a document after an edit.
func spliced(d *Document, edit func(*editor) error) ([]byte, error) {
	e := newEditor(d)
	if err := edit(e); err != nil {
		return nil, err
	}
	return e.apply()
}

var errOtherChange = errors.New("the edit would change more than this one field")

// verify reads an edited file and compares it with the file before the edit.
func verify(edited *Document, out []byte, want any) error {
	after, err := Parse("", out)
	if err != nil {
		return err
	}
	before := edited.File.Documents
	if len(after.Documents) != len(before) {
		return errOtherChange
	}
	for i, d := range after.Documents {
		if i != edited.Index {
			if !bytes.Equal(d.bytes(), before[i].bytes()) {
				return errOtherChange
			}
			continue
		}
		got, err := d.Decode()
		if err != nil {
			return fmt.Errorf("the edit would break the file: %w", err)
		}
		if !reflect.DeepEqual(got, want) {
			return errOtherChange
		}
	}
	return nil
}
