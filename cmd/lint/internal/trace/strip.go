package trace

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// Strip returns an object without its shadow and without those in its patches.
func Strip(obj map[string]any) map[string]any {
	data, err := yaml.Marshal(obj)
	if err != nil {
		return obj
	}
	out := map[string]any{}
	if yaml.Unmarshal(stripText(data), &out) != nil {
		return obj
	}
	return out
}

// stripText returns the text of an object or a patch without its shadow.
func stripText(data []byte) []byte {
	nodes, ok := Nodes(data)
	if !ok || !strings.Contains(string(data), key) {
		return data
	}
	for _, node := range nodes {
		stripNode(Root(node))
	}
	return Encode(nodes)
}

func stripNode(node *yaml.Node) {
	var kept []*yaml.Node
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value != key {
				kept = append(kept, node.Content[i], stripped(node.Content[i+1]))
			}
		}
	case yaml.SequenceNode:
		for _, item := range node.Content {
			if !onShadow(item) {
				kept = append(kept, stripped(item))
			}
		}
	default:
		return
	}
	node.Content = kept
}

// stripped returns a value without shadows: of its fields, or in its text.
func stripped(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.ScalarNode && strings.Contains(node.Value, key) {
		node.SetString(string(stripText([]byte(node.Value))))
	}
	stripNode(node)
	return node
}

// onShadow reports whether an item is an operation of a JSON patch on a shadow.
func onShadow(item *yaml.Node) bool {
	p := Child(item, "path")
	return p != nil && strings.HasPrefix(p.Value, "/"+key)
}
