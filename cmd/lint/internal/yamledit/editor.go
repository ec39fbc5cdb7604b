package yamledit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// editor collects the cuts that change the text of one document.
type editor struct {
	*tree
	line  int // of the file that the text begins on, less one
	cuts  []cut
	style style
}

// cut replaces the bytes from an offset to another.
type cut struct {
	from, to int
	text     string
}

// slot is a place for a value: of a key, of a list item (no key), or the root
// (no parent).
type slot struct{ parent, key, value *yaml.Node }

func newEditor(d *Document) *editor {
	t := d.tree()
	return &editor{tree: t, line: lineOf(d.File.lines, d.start), style: t.style(d.File.Data)}
}

func (e *editor) cut(from, to int, text string) { e.cuts = append(e.cuts, cut{from, to, text}) }

func (e *editor) apply() ([]byte, error) {
	slices.SortStableFunc(e.cuts, func(a, b cut) int { return a.from - b.from })
	var out bytes.Buffer
	at := 0
	for _, c := range e.cuts {
		if c.from < at || c.to < c.from || c.to > len(e.text) {
			return nil, errors.New("the layout is not understood well enough to edit it")
		}
		out.Write(e.text[at:c.from])
		out.WriteString(c.text)
		at = c.to
	}
	out.Write(e.text[at:])
	return out.Bytes(), nil
}

// refuse says that a node cannot be edited.
func (e *editor) refuse(n *yaml.Node, why string) error {
	return fmt.Errorf("line %d: %s", e.line+n.Line, why)
}

// own finds the slot of a step and refuses one that is written elsewhere; it is
// false if it is not written.
func (e *editor) own(n *yaml.Node, step any) (slot, bool, error) {
	if n.Kind == yaml.AliasNode {
		return slot{}, false, e.refuse(n, fmt.Sprintf("the field comes from the anchor %q, which other fields may use too", n.Value))
	}
	c, ok := child(n, step)
	if !ok {
		return slot{}, false, nil
	}
	if c.merged {
		return slot{}, false, e.refuse(c.key, "the field comes from a merge key, which other mappings may use too")
	}
	if user := alias(e.root, c.value); user != nil {
		return slot{}, false, e.refuse(c.value, fmt.Sprintf("the field is written in the anchor %q, which line %d uses too", user.Value, e.line+user.Line))
	}
	s := slot{parent: n, key: c.key, value: c.value}
	if n.Kind == yaml.SequenceNode {
		s.key = nil
	}
	return s, true, nil
}

// alias gives the first alias of a node below a root; nil if there is none.
func alias(root, anchored *yaml.Node) *yaml.Node {
	if anchored.Anchor == "" {
		return nil
	}
	if root.Alias == anchored {
		return root
	}
	for _, n := range root.Content {
		if found := alias(n, anchored); found != nil {
			return found
		}
	}
	return nil
}

func (e *editor) set(path []any, value any) error {
	s := slot{value: e.root}
	if e.root == nil || len(path) == 0 {
		return errors.New("only a field of a document can be set")
	}
	for i, step := range path {
		next, ok, err := e.own(s.value, step)
		if err != nil {
			return err
		}
		if !ok {
			return e.insert(s, step, nest(path[i+1:], value))
		}
		s = next
	}
	return e.replace(s, value)
}

// nest wraps a value in the parents of a path.
func nest(path []any, value any) any {
	for _, step := range slices.Backward(path) {
		if key, ok := step.(string); ok {
			value = map[string]any{key: value}
		} else {
			value = []any{value}
		}
	}
	return value
}

// insert adds a key or an item to the collection in a slot.
func (e *editor) insert(s slot, step, value any) error {
	n := s.value
	switch {
	case isFlow(n) && (len(n.Content) > 0 || s.parent == nil || isFlow(s.parent)):
		return e.insertFlow(n, step, value)
	case n.Kind == yaml.MappingNode && len(n.Content) > 0:
		e.appendLines(n, e.style.mapping(map[string]any{step.(string): value}, e.column(n)))
	case n.Kind == yaml.SequenceNode && len(n.Content) > 0:
		e.appendLines(n, e.style.list([]any{value}, e.column(n)))
	default: // null, {} or []
		return e.replace(s, nest([]any{step}, value))
	}
	return nil
}

func (e *editor) appendLines(n *yaml.Node, lines []string) {
	at := e.endOfLine(e.end(n))
	e.cut(at, at, e.style.join("", lines))
}

// insertFlow adds to a collection in braces or brackets.
func (e *editor) insertFlow(n *yaml.Node, step, value any) error {
	closing := e.end(n) - 1
	text := e.style.flow(value, isJSON(n))
	if key, ok := step.(string); ok {
		text = e.style.key(key, isJSON(n)) + ": " + text
	}
	if len(n.Content) == 0 {
		at := e.offset(n) + 1
		e.cut(at, closing, text)
		return nil
	}
	last := e.end(n.Content[len(n.Content)-1])
	gap := " "
	if first := e.start(n.Content[0]); lineOf(e.lines, first) != lineOf(e.lines, e.offset(n)) {
		gap = e.style.newline + string(e.margin(first))
	}
	if comma := e.skipSpace(last); e.text[comma] == ',' {
		e.cut(comma+1, comma+1, gap+text+",")
	} else {
		e.cut(last, last, ","+gap+text)
	}
	return nil
}

// margin gives the space that a line begins with.
func (e *editor) margin(at int) []byte {
	line := e.text[e.lines[lineOf(e.lines, at)]:]
	return line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
}
