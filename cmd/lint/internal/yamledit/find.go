package yamledit

import (
	"bytes"
	"slices"
	"unicode/utf8"

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

// walk follows a path as far as it is written. It returns the key and the value
// of the last written step, nil for an empty document, and reports whether the
// whole path is written.
func walk(root *yaml.Node, path []any) (key, value *yaml.Node, written bool) {
	if root == nil {
		return nil, nil, false
	}
	key, value = firstNode(root), root
	for _, step := range path {
		e, ok := child(value, step)
		if !ok {
			return key, value, false
		}
		key, value = e.key, e.value
	}
	return key, value, true
}

// entry is a key and its value in a mapping. For an item of a list both are the
// item.
type entry struct {
	key, value *yaml.Node
	merged     bool // written in a mapping that a merge key names
}

// child returns the entry of a key or an index. The keys of a mapping win over
// those that it merges, as in kustomize.
func child(n *yaml.Node, step any) (entry, bool) {
	n = target(n)
	switch s := step.(type) {
	case int:
		if n.Kind == yaml.SequenceNode && s >= 0 && s < len(n.Content) {
			return entry{key: n.Content[s], value: n.Content[s]}, true
		}
	case string:
		if n.Kind == yaml.MappingNode {
			return field(n, s)
		}
	}
	return entry{}, false
}

func field(mapping *yaml.Node, name string) (entry, bool) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		if isMerge(key) {
			continue
		}
		if k, err := keyName(key); err == nil && k == name {
			return entry{key: key, value: mapping.Content[i+1]}, true
		}
	}
	for _, source := range mergedInto(mapping) {
		if e, ok := field(source, name); ok {
			e.merged = true
			return e, true
		}
	}
	return entry{}, false
}

// mergedInto returns the mappings that the merge key of a mapping names. The
// first one wins.
func mergedInto(mapping *yaml.Node) []*yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if !isMerge(mapping.Content[i]) {
			continue
		}
		source := target(mapping.Content[i+1])
		if source.Kind != yaml.SequenceNode {
			return []*yaml.Node{source}
		}
		var sources []*yaml.Node
		for _, item := range source.Content {
			sources = append(sources, target(item))
		}
		return sources
	}
	return nil
}

// position converts an offset in the document and reports whether the text
// stands exactly there.
func (d *Document) position(offset int) (pos Position, exact bool) {
	return d.File.position(d.start + offset)
}

// position converts an offset in the file. It is not exact in an embedded file
// that does not stand unchanged in its outer file.
func (f *File) position(offset int) (pos Position, exact bool) {
	if f.origin != nil {
		outer, exact := f.origin.offset(offset)
		pos, outerExact := f.origin.doc.File.position(outer)
		return pos, exact && outerExact
	}
	lines := f.lines()
	line := lines.lineOf(offset)
	start := lines.starts[line]
	if line == 0 && bytes.HasPrefix(f.Data(), bom) {
		start = min(len(bom), offset)
	}
	return Position{Line: line + 1, Column: utf8.RuneCount(f.Data()[start:offset]) + 1}, true
}

// offset converts an offset in the embedded file to one in the outer file.
func (o *origin) offset(inner int) (outer int, exact bool) {
	if o.outer == nil {
		return o.scalar, false
	}
	line := o.inner.lineOf(inner)
	if line >= len(o.outer) {
		return o.scalar, false
	}
	return o.outer[line] + inner - o.inner.starts[line], true
}

func (d *Document) syntaxError(f *fault) error {
	pos, _ := d.position(f.offset)
	return &SyntaxError{Line: pos.Line, Column: pos.Column, Message: f.message}
}
