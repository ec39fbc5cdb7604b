package yamledit

import (
	"bytes"
	"slices"
)

// Text returns the text at an address, as a file of its own; false if there is none.
func Text(data []byte, at Address) (*File, bool) {
	file, err := Parse("", data)
	for _, step := range at {
		if err != nil || step.Document < 0 || step.Document >= len(file.Documents) {
			return nil, false
		}
		var ok bool
		if file, ok = file.Documents[step.Document].Embedded(step.Path...); !ok {
			return nil, false
		}
	}
	return file, err == nil && len(at) > 0
}

// DropAt removes an item of a list with the comments directly above it, and the list with
// its key if that is its only item.
func DropAt(data []byte, at Address) ([]byte, error) {
	return editAt(data, at, func(data []byte, s Step) ([]byte, error) {
		file, err := Parse("", data)
		if err != nil || s.Document < 0 || s.Document >= len(file.Documents) {
			return Delete(data, s.Document, s.Path)
		}
		path := s.Path
		if list, _ := file.Documents[s.Document].at(path[:len(path)-1]).([]any); len(list) == 1 && len(path) > 1 {
			path = path[:len(path)-1]
		}
		return change(data, s.Document,
			func(have any) (any, error) { return withoutField(have, path), nil },
			func(e *editor) error { return e.drop(path) })
	})
}

// at returns the value at a path; nil if there is none.
func (d *Document) at(path []any) any {
	value, err := d.Decode()
	if err != nil {
		return nil
	}
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := value.(map[string]any)
			value = object[step]
		case int:
			list, _ := value.([]any)
			if step < 0 || step >= len(list) {
				return nil
			}
			value = list[step]
		}
	}
	return value
}

// drop is delete that takes along the comments directly above a block entry, in its column.
func (e *editor) drop(path []any) error {
	if err := e.delete(path); err != nil {
		return err
	}
	slots, err := e.slots(path)
	if err != nil || len(e.cuts) != 1 {
		return err
	}
	s := slots[len(slots)-1]
	first := s.value
	if s.key != nil {
		first = s.key
	}
	from := e.entryStart(s.parent, first)
	line := e.lineOf(from)
	cut := &e.cuts[0]
	atEnd := cut.from == e.endOfLineBefore(from)
	if !atEnd && cut.from != e.starts[line] {
		return nil // other entries are on its line
	}
	for line > 0 && e.isComment(line-1, e.columnAt(from)) {
		line--
	}
	if cut.from = e.starts[line]; atEnd {
		cut.from = e.endOfLineBefore(cut.from)
	}
	return nil
}

// isComment reports whether a line is a comment in a column.
func (e *editor) isComment(line, column int) bool {
	content := e.content(line)
	text := bytes.TrimLeft(content, " ")
	return bytes.HasPrefix(text, []byte("#")) && len(content)-len(text) == column
}

// Item returns the address of the innermost list item that an address is in, and false if
// it is in none.
func (a Address) Item() (Address, bool) {
	for i := len(a) - 1; i >= 0; i-- {
		for n := len(a[i].Path); n > 0; n-- {
			if _, ok := a[i].Path[n-1].(int); ok {
				return append(slices.Clone(a[:i]), Step{a[i].Document, a[i].Path[:n]}), true
			}
		}
	}
	return nil, false
}
