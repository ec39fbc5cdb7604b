package yamledit

import "go.yaml.in/yaml/v3"

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
