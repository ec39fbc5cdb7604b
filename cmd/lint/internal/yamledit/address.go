package yamledit

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// Address names a field of a file from the outside in. Each step but the last
// leads to a string that holds documents of its own.
type Address []Step

// Step is a path in the document with an index.
type Step struct {
	Document int
	Path     []any
}

// Address returns the address of the field at a path, whether it is written or
// not.
func (d *Document) Address(path ...any) Address {
	step := Step{Document: d.Index, Path: slices.Concat(d.partPath, path)}
	if o := d.File.origin; o != nil {
		return append(o.doc.Address(o.path...), step)
	}
	return Address{step}
}

// Outer returns the document whose text a document is written in, and the path to that
// text. It reports false if the document stands in its file itself.
func (d *Document) Outer() (*Document, []any, bool) {
	if d.File.origin == nil {
		return nil, nil, false
	}
	return d.File.origin.doc, d.File.origin.path, true
}

// Holds reports whether a field is at the address or below it.
func (a Address) Holds(field Address) bool {
	last := len(a) - 1
	if last < 0 || len(field) <= last || !reflect.DeepEqual(a[:last], field[:last]) || a[last].Document != field[last].Document {
		return false
	}
	path, below := a[last].Path, field[last].Path
	return len(path) <= len(below) && slices.Equal(path, below[:len(path)])
}

// SetAt is [Set] at an address. It edits a string that holds the field like a
// file. Of a literal block scalar only the lines that differ change, of another scalar what
// differs.
func SetAt(data []byte, at Address, value any, last ...string) ([]byte, error) {
	return editAt(data, at, func(data []byte, s Step) ([]byte, error) { return Set(data, s.Document, s.Path, value, last...) })
}

// DeleteAt is [Delete] at an address.
func DeleteAt(data []byte, at Address) ([]byte, error) {
	return editAt(data, at, func(data []byte, s Step) ([]byte, error) { return Delete(data, s.Document, s.Path) })
}

// PruneAt is [DeleteAt] that takes the mappings along that lose their only field by it,
// but for those at the first steps of the innermost path, and the comments directly above.
func PruneAt(data []byte, at Address, steps int) ([]byte, error) {
	return editAt(data, at, func(data []byte, s Step) ([]byte, error) {
		file, err := Parse("", data)
		if err != nil || s.Document < 0 || s.Document >= len(file.Documents) {
			return Delete(data, s.Document, s.Path)
		}
		value, err := file.Documents[s.Document].Decode()
		if err != nil {
			return nil, err
		}
		path := emptied(value, s.Path, steps)
		return change(data, s.Document,
			func(have any) (any, error) { return withoutField(have, path), nil },
			func(e *editor) error { return e.drop(path) })
	})
}

// emptied returns the path of the topmost mapping that has nothing else than what is at a
// path; that path if there is none.
func emptied(value any, path []any, steps int) []any {
	top := path
	for i := range path {
		object, ok := value.(map[string]any)
		switch key, isKey := path[i].(string); {
		case !ok || !isKey:
			return path
		case len(object) > 1 || i <= steps:
			top = path[:i+1]
			value = object[key]
		default:
			value = object[key]
		}
	}
	return top
}

// editAt makes an edit in the innermost text of an address.
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
	text, err := editAt(inner.Data(), at[1:], edit)
	if err != nil {
		pos, _ := doc.Value(outer.Path...)
		return nil, fmt.Errorf("in the text that begins on line %d: %w", pos.Line, err)
	}
	return change(data, outer.Document,
		func(have any) (any, error) { return withField(have, outer.Path, string(text)) },
		func(e *editor) error {
			if inner.origin.outer == nil {
				return e.replaceText(outer.Path, string(text))
			}
			return e.replaceLines(inner, outer.Path, text)
		})
}
