package yamledit

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
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
	return edit(data, at, func(d *Document, path []any) ([]byte, error) {
		above := path[:max(len(path)-1, 0)]
		if _, list, written := walk(d.root(), above); written && len(above) > 0 && target(list).Kind == yaml.SequenceNode && len(target(list).Content) == 1 {
			path = above
		}
		return d.remove(path)
	})
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
	first := s.first()
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
