package yamledit

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
)

func (e *editor) set(path []any, value any, behind []string) error {
	if e.root == nil || len(path) == 0 {
		return errNotField
	}
	slots, err := e.slots(path)
	if err != nil {
		return err
	}
	last := len(slots) - 1
	if last < len(path) {
		return e.insert(slots[last], path[last], nest(path[last+1:], value), behind)
	}
	return e.replace(slots[last], value)
}

// insert adds a key or an item to the collection in a slot, a key before those behind it.
func (e *editor) insert(s slot, step, value any, behind []string) error {
	n := s.value
	switch {
	case isFlow(n) && (len(n.Content) > 0 || s.parent == nil || isFlow(s.parent)):
		e.insertFlow(n, step, value)
	case n.Kind == yaml.MappingNode && len(n.Content) > 0:
		e.linesAfter(n, before(n, behind), e.style.mapping(map[string]any{step.(string): value}, e.column(n)))
	case n.Kind == yaml.SequenceNode && len(n.Content) > 0:
		e.linesAfter(n, len(n.Content), e.style.list([]any{value}, e.column(n)))
	default: // null, {} or []
		return e.replace(s, nest([]any{step}, value))
	}
	return nil
}

// linesAfter writes lines after the first nodes of a block collection, and after what is
// commented out there.
func (e *editor) linesAfter(n *yaml.Node, nodes int, lines []string) {
	end := e.end(n)
	if nodes < len(n.Content) {
		end = e.end(n.Content[nodes-1])
	}
	at := e.endOfComments(e.endOfLine(end), e.column(n))
	e.cut(at, at, e.style.join(lines))
}

// before counts the nodes of a mapping before the keys that are to stay behind: all, unless
// these are the last ones, and not the only ones.
func before(mapping *yaml.Node, behind []string) int {
	n := len(mapping.Content)
	for n > 0 && slices.Contains(behind, mapping.Content[n-2].Value) {
		n -= 2
	}
	if n == 0 {
		return len(mapping.Content)
	}
	return n
}

// insertFlow adds to a collection in braces or brackets.
func (e *editor) insertFlow(n *yaml.Node, step, value any) {
	text := flow(value, isJSON(n))
	if key, ok := step.(string); ok {
		text = word(key, isJSON(n)) + ": " + text
	}
	if len(n.Content) == 0 {
		e.cut(e.offset(n)+1, e.end(n)-1, text)
		return
	}
	gap := e.flowGap(n)
	last := e.end(n.Content[len(n.Content)-1])
	if comma := e.skipSpace(last); e.text[comma] == ',' {
		e.cut(comma+1, comma+1, gap+text+",")
	} else {
		e.cut(last, last, ","+gap+text)
	}
}

// flowGap returns what stands before a new entry of a flow collection: a space,
// or the indentation of its first entry if that is on a line of its own.
func (e *editor) flowGap(n *yaml.Node) string {
	first := e.start(n.Content[0])
	if e.lineOf(first) == e.lineOf(e.offset(n)) {
		return " "
	}
	line := e.text[e.startOfLine(first):]
	return e.style.newline + string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}
