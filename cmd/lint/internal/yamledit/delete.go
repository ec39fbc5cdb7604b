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
