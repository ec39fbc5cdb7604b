package yamledit

import (
	"bytes"
	"errors"
	"slices"

	"go.yaml.in/yaml/v3"
)

// delete removes the field or the list item at a path.
func (e *editor) delete(path []any) error {
	slots, err := e.slots(path)
	if err != nil {
		return err
	}
	last := len(slots) - 1
	if last == 0 || last < len(path) { // change has seen that there is something
		return errors.New("the field is not written")
	}
	if s := slots[last]; !isOnly(s) {
		return e.deleteEntry(s)
	}
	parent := slots[last-1]
	if parent.parent == nil {
		return e.emptyRoot(parent.value)
	}
	if parent.value.Kind == yaml.SequenceNode {
		return e.replace(parent, []any{})
	}
	return e.replace(parent, map[string]any{})
}

// emptyRoot leaves a document without its only entry.
func (e *editor) emptyRoot(root *yaml.Node) error {
	text := "{}"
	if root.Kind == yaml.SequenceNode {
		text = "[]"
	}
	e.cut(min(e.offset(root), e.entryStart(root, root.Content[0])), e.end(root), text)
	return nil
}

// isOnly reports whether the parent of a slot has no other entry.
func isOnly(s slot) bool {
	return len(s.parent.Content) == 1 || s.key != nil && len(s.parent.Content) == 2
}

// deleteEntry removes one of several entries.
func (e *editor) deleteEntry(s slot) error {
	entries, at := s.parent.Content, slices.Index(s.parent.Content, s.value)
	first := s.first()
	next := at + 1
	from, to := e.entryStart(s.parent, first), e.end(s.value)
	line := e.startOfLine(from)
	switch alone := len(bytes.TrimSpace(e.text[line:from])) == 0; {
	case isFlow(s.parent) && next == len(entries):
		before := slices.Index(entries, first) - 1
		e.cut(e.end(entries[before]), to, "")
	case isFlow(s.parent) || !alone:
		if next == len(entries) {
			return e.refuse(first, errLayout.Error())
		}
		e.cut(from, e.entryStart(s.parent, entries[next]), "")
	default:
		e.deleteLines(line, e.endOfLine(to))
	}
	return nil
}

// deleteLines removes lines with the break after them, or at the end of the
// text with the one before them.
func (e *editor) deleteLines(from, to int) {
	if to < len(e.text) {
		e.cut(from, to+yamlBreak(e.text[to:]), "")
		return
	}
	e.cut(e.endOfLineBefore(from), to, "")
}

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

// UncommentAt removes the comments beside a field: at the end of its line, and directly above
// it in its column. A field that is the only one of its mapping shares the comments of that
// one, but for the mappings at the first steps of the innermost path.
func UncommentAt(data []byte, at Address, steps int) ([]byte, error) {
	return edit(data, at, func(d *Document, path []any) ([]byte, error) {
		have, err := d.Decode()
		if err != nil {
			return nil, err
		}
		return d.edited(have, func(e *editor) error { return e.uncomment(path, steps) })
	})
}

func (e *editor) uncomment(path []any, steps int) error {
	slots, err := e.slots(path)
	if err != nil || len(slots) <= len(path) {
		return err
	}
	done := map[int]bool{} // lines
	for n := len(path); n > 0; n-- {
		s := slots[n]
		first := s.first()
		from, behind := e.entryStart(s.parent, first), e.end(s.value)
		if n < len(path) && s.key != nil {
			behind = e.afterColon(s.key)
		}
		if line := e.lineOf(from); !done[line] {
			done[line] = true
			e.cutAbove(line)
			e.cutBehind(behind)
		}
		if n-1 <= steps || s.parent.Kind != yaml.MappingNode || len(s.parent.Content) > 2 {
			break
		}
	}
	return nil
}

// cutAbove removes the comments directly above a line, in the column where it begins.
func (e *editor) cutAbove(line int) {
	content := e.content(line)
	column := len(content) - len(bytes.TrimLeft(content, " "))
	first := line
	for first > 0 && e.isComment(first-1, column) {
		first--
	}
	if first < line {
		e.cut(e.starts[first], e.starts[line], "")
	}
}

// cutBehind removes the comment at the end of the line, behind an offset.
func (e *editor) cutBehind(at int) {
	end := e.endOfLine(at)
	rest := e.text[at:end]
	var quote byte
	for i, c := range rest {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '#' && i > 0 && (rest[i-1] == ' ' || rest[i-1] == '\t'):
			e.cut(at+len(bytes.TrimRight(rest[:i], " \t")), end, "")
			return
		}
	}
}
