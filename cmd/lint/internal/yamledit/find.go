package yamledit

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// Find returns the position of the key or list item that a path ends in. What
// comes from an anchor is found at the anchor. For a field that is not written
// Find returns the nearest written parent and false; where that is the root,
// the first key of the document.
func (d *Document) Find(path ...any) (pos Position, exact bool) {
	t := d.treeAt(path)
	key, _, written := walk(d.rootOf(t), path)
	pos, exact = d.positionIn(t, key)
	return pos, exact && written
}

// Value returns the position of the value at a path. It reports false if the
// value is not written or does not stand there unchanged (see
// [Document.Embedded]).
func (d *Document) Value(path ...any) (pos Position, exact bool) {
	t := d.treeAt(path)
	_, value, written := walk(d.rootOf(t), path)
	pos, exact = d.positionIn(t, value)
	return pos, exact && written
}

// Text returns the scalar at a path as it is written; "" if there is none.
func (d *Document) Text(path ...any) string {
	_, value, written := walk(d.rootOf(d.treeAt(path)), path)
	if !written || target(value).Kind != yaml.ScalarNode {
		return ""
	}
	return target(value).Value
}

// IsMapping reports whether a mapping is written at a path.
func (d *Document) IsMapping(path ...any) bool {
	_, value, written := walk(d.rootOf(d.treeAt(path)), path)
	return written && target(value).Kind == yaml.MappingNode
}

// positionIn returns the position of a node of a tree, or of the document for nil.
func (d *Document) positionIn(t *tree, n *yaml.Node) (pos Position, exact bool) {
	if n == nil {
		return Position{Line: d.Line, Column: 1}, false
	}
	return d.position(t.offset(n))
}

// Each returns the items of the list at a path as documents with their true
// positions: Each("items") for a List, Each() for a root that is a list. It
// returns nil if there is no list.
func (d *Document) Each(path ...any) []*Document {
	_, list, written := walk(d.root(), path)
	if !written || target(list).Kind != yaml.SequenceNode {
		return nil
	}
	items := target(list).Content
	parts := make([]*Document, len(items))
	for i, item := range items {
		part := *d
		part.part = item
		part.partPath = slices.Concat(d.partPath, path, []any{i})
		pos, _ := d.positionIn(d.tree(), firstNode(item))
		part.Line = pos.Line
		parts[i] = &part
	}
	return parts
}
