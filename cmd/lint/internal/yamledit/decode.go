package yamledit

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Object returns the document in the shapes of JSON: integers as int64, other
// numbers as float64. Scalars mean what they mean in the cluster
// (sigs.k8s.io/yaml: y is true, 010 is 8). Merge keys mean what they mean in
// kustomize: a key that is written wins. Object returns nil for an empty
// document, and an error for one that cannot be read or is not a mapping. Each
// call makes a new map.
func (d *Document) Object() (map[string]any, error) {
	value, err := d.Decode()
	if value == nil || err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("line %d: document is no mapping", d.Line)
	}
	return object, nil
}

// Shared is [Document.Object], but a document that is not large is read once: what it
// returns must not be changed. Of a document that is read quickly, spec.values is null.
func (d *Document) Shared() (map[string]any, error) {
	if d.part != nil || d.memo.object == nil {
		return d.Object()
	}
	return d.memo.object()
}

// Decode is [Document.Object] for a root of any kind: a mapping, a list or a
// scalar.
func (d *Document) Decode() (any, error) {
	if d.Err != nil {
		return nil, d.Err
	}
	root := d.root()
	if root == nil {
		return nil, nil
	}
	value, fault := d.tree().decode(root)
	if fault != nil {
		return nil, d.syntaxError(fault)
	}
	return value, nil
}

func (t *tree) decode(n *yaml.Node) (any, *fault) {
	switch n = target(n); n.Kind {
	case yaml.MappingNode:
		object := make(map[string]any, len(n.Content)/2)
		return object, t.decodeInto(object, n)
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			value, fault := t.decode(item)
			if fault != nil {
				return nil, fault
			}
			list[i] = value
		}
		return list, nil
	}
	value, err := scalarValue(n)
	if err != nil {
		return nil, t.fault(n, err.Error())
	}
	return value, nil
}

// decodeInto sets the fields of a mapping, after those that it merges.
func (t *tree) decodeInto(object map[string]any, mapping *yaml.Node) *fault {
	sources := mergedInto(mapping)
	for i := len(sources) - 1; i >= 0; i-- {
		if fault := t.decodeInto(object, sources[i]); fault != nil {
			return fault
		}
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		if isMerge(key) {
			continue
		}
		name, err := keyName(key)
		if err != nil {
			return t.fault(key, err.Error())
		}
		value, fault := t.decode(mapping.Content[i+1])
		if fault != nil {
			return fault
		}
		object[name] = value
	}
	return nil
}
