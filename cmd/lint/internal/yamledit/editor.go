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
	linesBefore int // lines of the file before the text
	style       style
	cuts        []cut
}

// cut replaces the bytes between two offsets.
type cut struct {
	from, to int
	text     string
}

// slot is a place for a value: of a key, of a list item (no key) or of the root
// (no parent).
type slot struct{ parent, key, value *yaml.Node }

// first returns the node that the entry in a slot begins with.
func (s slot) first() *yaml.Node {
	if s.key != nil {
		return s.key
	}
	return s.value
}

func newEditor(d *Document) *editor {
	t := d.tree()
	return &editor{tree: t, linesBefore: d.File.lines().lineOf(d.start), style: styleOf(t, d.File.Data())}
}

func (e *editor) cut(from, to int, text string) { e.cuts = append(e.cuts, cut{from, to, text}) }

// apply returns the text with all cuts made.
func (e *editor) apply() ([]byte, error) {
	slices.SortStableFunc(e.cuts, func(a, b cut) int { return a.from - b.from })
	var out bytes.Buffer
	at := 0
	for _, c := range e.cuts {
		if c.from < at || c.to < c.from || c.to > len(e.text) {
			return nil, errLayout
		}
		out.Write(e.text[at:c.from])
		out.WriteString(c.text)
		at = c.to
	}
	out.Write(e.text[at:])
	return out.Bytes(), nil
}

var errLayout = errors.New("the layout is not understood well enough to edit it")

// slots follows a path as far as it is written. It returns the slot of the root
// and of each written step.
func (e *editor) slots(path []any) ([]slot, error) {
	s := slot{value: e.root}
	slots := []slot{s}
	for _, step := range path {
		next, ok, err := e.slot(s.value, step)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		s = next
		slots = append(slots, s)
	}
	return slots, nil
}

// textSlot returns the slot of a scalar that is written at a path itself.
func (e *editor) textSlot(path []any) (slot, error) {
	slots, err := e.slots(path)
	if err != nil {
		return slot{}, err
	}
	if len(slots) <= len(path) {
		return slot{}, errors.New("the text is not written here")
	}
	s := slots[len(path)]
	if s.value.Kind != yaml.ScalarNode {
		return s, e.refuse(s.value, "the text comes from an anchor, which other fields may use too")
	}
	return s, nil
}

// slot returns the slot of a step and reports whether it is written. It refuses
// one that other fields share.
func (e *editor) slot(n *yaml.Node, step any) (slot, bool, error) {
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
	if user := aliasOf(c.value, e.root); user != nil {
		return slot{}, false, e.refuse(c.value, fmt.Sprintf("the field is written in the anchor %q, which line %d uses too", user.Value, e.linesBefore+user.Line))
	}
	s := slot{parent: n, key: c.key, value: c.value}
	if n.Kind == yaml.SequenceNode {
		s.key = nil
	}
	return s, true, nil
}

// refuse returns the error for a node that cannot be edited.
func (e *editor) refuse(n *yaml.Node, why string) error {
	return &Refusal{Line: e.linesBefore + n.Line, Reason: why}
}

// Refusal is the error for a file that cannot be edited, with the line of it that is the
// reason.
type Refusal struct {
	Line   int
	Reason string
}

func (r *Refusal) Error() string { return fmt.Sprintf("line %d: %s", r.Line, r.Reason) }

// aliasOf returns the first alias of a node below a root, nil if there is none.
func aliasOf(anchored, root *yaml.Node) *yaml.Node {
	if anchored.Anchor == "" {
		return nil
	}
	if root.Alias == anchored {
		return root
	}
	for _, n := range root.Content {
		if found := aliasOf(anchored, n); found != nil {
			return found
		}
	}
	return nil
}
