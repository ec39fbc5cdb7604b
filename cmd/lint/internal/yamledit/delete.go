package yamledit

import (
	"bytes"
	"errors"
	"slices"

	"go.yaml.in/yaml/v3"
)

func (e *editor) delete(path []any) error {
	s := slot{value: e.root}
	parent := s
	for _, step := range path {
		next, ok, err := e.own(s.value, step)
		if err != nil {
			return err
		}
		if !ok { // change has seen that there is something
			return errors.New("the field is not written")
		}
		parent, s = s, next
	}
	if isOnly(s) {
		return e.replaceEmpty(parent)
	}
	return e.deleteEntry(s)
}

// isOnly tells whether a slot is the only one of its parent.
func isOnly(s slot) bool {
	return len(s.parent.Content) == 1 || s.key != nil && len(s.parent.Content) == 2
}

// replaceEmpty leaves a collection without fields.
func (e *editor) replaceEmpty(s slot) error {
	var empty any = map[string]any{}
	if s.value.Kind == yaml.SequenceNode {
		empty = []any{}
	}
	return e.replace(s, empty)
}

func (e *editor) deleteEntry(s slot) error {
	entries, at := s.parent.Content, slices.Index(s.parent.Content, s.value)
	first := s.value
	if s.key != nil {
		first = s.key
	}
	next := at + 1
	from, to := e.entryStart(s.parent, first), e.end(s.value)
	line := e.lines[lineOf(e.lines, from)]
	switch alone := len(bytes.TrimSpace(e.text[line:from])) == 0; {
	case isFlow(s.parent) && next == len(entries):
		before := slices.Index(entries, first) - 1
		e.cut(e.end(entries[before]), to, "")
	case isFlow(s.parent) || !alone:
		if next == len(entries) {
			return e.refuse(first, "the layout is not understood well enough to edit it")
		}
		e.cut(from, e.entryStart(s.parent, entries[next]), "")
	default:
		e.cutLines(line, e.endOfLine(to))
	}
	return nil
}

// cutLines removes lines with their break, the last of a file with that before.
func (e *editor) cutLines(from, to int) {
	if to < len(e.text) {
		e.cut(from, to+yamlBreak(e.text[to:]), "")
		return
	}
	e.cut(e.lineBefore(from), to, "")
}
