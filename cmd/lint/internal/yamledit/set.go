package yamledit

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Order says where a new key of a mapping goes: beside another one, or before those that stay last.
type Order struct {
	Beside []string // keys that stand together, in this order
	Last   []string
}

func (e *editor) set(path []any, value any, order Order) error {
	if e.root == nil || len(path) == 0 {
		return errNotField
	}
	slots, err := e.slots(path)
	if err != nil {
		return err
	}
	last := len(slots) - 1
	if last < len(path) {
		return e.insert(slots[last], path[last], nest(path[last+1:], value), order)
	}
	return e.replace(slots[last], value)
}

// insert adds a key or an item to the collection in a slot.
func (e *editor) insert(s slot, step, value any, order Order) error {
	n := s.value
	switch {
	case isFlow(n) && (len(n.Content) > 0 || s.parent == nil || isFlow(s.parent)):
		e.insertFlow(n, step, value)
	case n.Kind == yaml.MappingNode && len(n.Content) > 0:
		e.linesAfter(n, order.before(n, step.(string)), e.style.mapping(map[string]any{step.(string): value}, e.column(n)))
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

// before counts the nodes of a mapping before a new key: up to the one that it stands beside, or
// else all but those that stay last, unless there are no others.
func (o Order) before(mapping *yaml.Node, key string) int {
	nodes := mapping.Content
	at := func(key string) int {
		for i := 0; i < len(nodes); i += 2 {
			if nodes[i].Value == key {
				return i
			}
		}
		return -1
	}
	if i := slices.Index(o.Beside, key); i >= 0 {
		for _, earlier := range slices.Backward(o.Beside[:i]) {
			if found := at(earlier); found >= 0 {
				return found + 2
			}
		}
		for _, later := range o.Beside[i+1:] {
			if found := at(later); found > 0 {
				return found
			}
		}
	}
	n := len(nodes)
	for n > 0 && slices.Contains(o.Last, nodes[n-2].Value) {
		n -= 2
	}
	if n == 0 {
		return len(nodes)
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
