package yamledit

import "go.yaml.in/yaml/v3"

// target follows an alias to its anchor.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// firstNode returns the key or item that a document begins with.
func firstNode(root *yaml.Node) *yaml.Node {
	if n := target(root); len(n.Content) > 0 {
		return n.Content[0]
	}
	return root
}

// isMerge reports whether a key is <<.
func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Tag == "!!merge"
}

// isEmpty reports whether a node is a value that is not written.
func isEmpty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&^yaml.TaggedStyle == 0
}

// isFlow reports whether a collection is in braces or brackets.
func isFlow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

// isBlock reports whether a node is a collection on lines of its own.
func isBlock(n *yaml.Node) bool {
	return n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode && !isFlow(n)
}

// isBlockScalar reports whether a node is a text after | or >.
func isBlockScalar(n *yaml.Node) bool {
	return n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

// isJSON reports whether the keys or items of a flow collection are in double
// quotes.
func isJSON(n *yaml.Node) bool {
	for _, item := range n.Content {
		if item.Kind == yaml.ScalarNode && item.Style&yaml.DoubleQuotedStyle != 0 {
			return true
		}
	}
	return false
}
