package yamledit

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// Find gives the position of the key (or of the list item) that a path ends in.
// What comes from an anchor is found at the anchor. For a field that is not
// written it gives the nearest written parent and false; for the root, the
// first key of the document.
func (d *Document) Find(path ...any) (pos Position, exact bool) {
	root := d.root()
	if root == nil {
		return Position{Line: d.Line, Column: 1}, false
	}
	at, _, written := walk(root, path)
	pos, exact = d.File.position(d.start + d.tree().offset(at))
	return pos, exact && written
}

// Value gives the position of the value at a path; false if it is not written
// or not there as it is (see Embedded).
func (d *Document) Value(path ...any) (Position, bool) {
	root := d.root()
	if root == nil {
		return Position{Line: d.Line, Column: 1}, false
	}
	_, value, written := walk(root, path)
	pos, exact := d.File.position(d.start + d.tree().offset(value))
	return pos, exact && written
}

// walk follows a path as far as it is written and gives the key and the value
// of the last step that is.
func walk(root *yaml.Node, path []any) (key, value *yaml.Node, written bool) {
	key, value = first(root), root
	for _, step := range path {
		e, ok := child(value, step)
		if !ok {
			return key, value, false
		}
		key, value = e.key, e.value
	}
	return key, value, true
}

// first gives the node that a document begins with for a reader.
func first(root *yaml.Node) *yaml.Node {
	if n := target(root); len(n.Content) > 0 {
		return n.Content[0]
	}
	return root
}

// Each gives the elements of the list at a path as documents of their own, with
// their true positions: Each("items") for a List, Each() for a root that is a
// list. It gives nothing when there is no list.
func (d *Document) Each(path ...any) []*Document {
	root := d.root()
	if root == nil {
		return nil
	}
	_, list, written := walk(root, path)
	if list = target(list); !written || list.Kind != yaml.SequenceNode {
		return nil
	}
	parts := make([]*Document, len(list.Content))
	for i, item := range list.Content {
		part := *d
		part.part = item
		part.at = slices.Concat(d.at, path, []any{i})
		part.Line = d.position(d.tree().offset(first(item))).Line
		parts[i] = &part
	}
	return parts
}
