package yamledit

import (
	"bytes"
	"reflect"
	"slices"

	"go.yaml.in/yaml/v3"
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

// SetAt writes a value at an address and changes nothing else. It creates missing parents. An
// index one past the end of a list appends. SetAt refuses an edit that would change more than
// this field, such as one in an anchor that other fields use. The value is anything that
// encoding/json can write. A new key is written after the others of its mapping, or where
// an order has it. A string that holds the field is edited like a file: of a literal
// block scalar only the lines that differ change, of another scalar what differs.
func SetAt(data []byte, at Address, value any, order Order) ([]byte, error) {
	value, err := jsonShape(value)
	if err != nil {
		return nil, err
	}
	return edit(data, at, func(d *Document, path []any) ([]byte, error) {
		return d.change(
			func(have any) (any, error) { return withField(have, path, value) },
			func(e *editor) error { return e.set(path, value, order) })
	})
}

// PruneAt removes a field with the comments directly above it, and the mappings along that lose
// their only field by it, but for those at the first steps of the innermost path. It changes
// nothing if the field is not written.
func PruneAt(data []byte, at Address, steps int) ([]byte, error) {
	return edit(data, at, func(d *Document, path []any) ([]byte, error) {
		value, err := d.Decode()
		if err != nil {
			return nil, err
		}
		return d.remove(emptied(value, path, steps))
	})
}

// remove removes a field or a list item with the comments directly above it. A mapping that
// loses its last field stays as {}, a list as [].
func (d *Document) remove(path []any) ([]byte, error) {
	return d.change(
		func(have any) (any, error) { return withoutField(have, path), nil },
		func(e *editor) error { return e.drop(path) })
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

// Embedded parses the string at a path as a file of its own, for YAML or JSON
// written inside YAML. Its positions are positions in the outer file. They are
// exact in a literal block scalar (|). In the other styles all are the position
// of the string, and Find reports that they are not exact. Embedded reports
// false if there is no string, or one with too many documents.
func (d *Document) Embedded(path ...any) (*File, bool) {
	_, value, written := walk(d.root(), path)
	if !written {
		return nil, false
	}
	value = target(value)
	if value.Kind != yaml.ScalarNode || !isText(value) {
		return nil, false
	}
	text := []byte(value.Value)
	f := &File{Name: d.File.Name, text: func() []byte { return text }, origin: &origin{
		doc:    d,
		path:   path,
		scalar: d.start + d.tree().offset(value),
		inner:  newLines(text, yamlBreak),
	}}
	if value.Style&yaml.LiteralStyle != 0 {
		f.origin.outer = d.literalLines(value, f.origin.inner)
	}
	if err := f.parse(&Reader{}); err != nil {
		return nil, false
	}
	return f, true
}

// literalLines returns the offset in the file of each line of a literal block
// scalar, nil if a line does not stand there unchanged.
func (d *Document) literalLines(n *yaml.Node, inner lines) []int {
	t := d.tree()
	header := t.lineOf(t.offset(n))
	indent := t.blockIndent(n)
	outer := make([]int, 0, len(inner.starts))
	for i := range inner.starts {
		content := inner.content(i)
		line := header + 1 + i
		if line >= len(t.starts) {
			if len(content) > 0 {
				return nil
			}
			break // the end of the document
		}
		raw := t.content(line)
		margin := min(indent, len(raw))
		if len(content) > 0 && !bytes.Equal(raw[margin:], content) {
			return nil
		}
		outer = append(outer, d.start+t.starts[line]+margin)
	}
	return outer
}
