package trace

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Nodes parses a stream and reports whether it could be read. Documents without
// content are left out.
func Nodes(data []byte) ([]*yaml.Node, bool) {
	var out []*yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		node := &yaml.Node{}
		err := decoder.Decode(node)
		if errors.Is(err, io.EOF) {
			return out, true
		}
		if err != nil {
			return nil, false
		}
		if Root(node).Tag != "!!null" {
			out = append(out, node)
		}
	}
}

// Encode writes nodes as a stream; nil if that is not possible.
func Encode(nodes []*yaml.Node) []byte {
	var b bytes.Buffer
	for _, node := range nodes {
		unflow(node)
		data, err := encode(node)
		if err != nil {
			return nil
		}
		b.WriteString("---\n")
		b.Write(data)
	}
	return b.Bytes()
}

// unflow changes a document to block style if it has an empty null in flow style, such
// as {key}: the encoder would write an empty string for it.
func unflow(node *yaml.Node) {
	if hasBareNull(node, false) {
		inBlocks(node)
	}
}

func hasBareNull(node *yaml.Node, inFlow bool) bool {
	if inFlow && node.Kind == yaml.ScalarNode && node.Tag == "!!null" && node.Value == "" {
		return true
	}
	inFlow = inFlow || node.Style&yaml.FlowStyle != 0
	return slices.ContainsFunc(node.Content, func(inner *yaml.Node) bool { return hasBareNull(inner, inFlow) })
}

func inBlocks(node *yaml.Node) {
	node.Style &^= yaml.FlowStyle
	for _, inner := range node.Content {
		inBlocks(inner)
	}
}

// Root returns the content of a document node.
func Root(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.DocumentNode && len(node.Content) == 1 {
		return node.Content[0]
	}
	return node
}

// Lookup returns the node at a path; nil if it is not written there itself, or
// not there alone: what has an anchor may stand elsewhere too.
func Lookup(node *yaml.Node, path []any) *yaml.Node {
	node = Root(node)
	for _, step := range path {
		if node = Child(node, step); node == nil || node.Kind == yaml.AliasNode || node.Anchor != "" {
			return nil
		}
	}
	return node
}

// Begins reports whether the first document of a stream has content. Of a
// kustomization.yaml and of a JSON patch, kustomize reads no other.
func Begins(data []byte) bool {
	node := &yaml.Node{}
	return yaml.NewDecoder(bytes.NewReader(data)).Decode(node) == nil && Root(node).Tag != "!!null"
}

// Child returns the value of a key, or an item of a list; nil if there is none.
func Child(node *yaml.Node, step any) *yaml.Node {
	switch step := step.(type) {
	case int:
		if node.Kind == yaml.SequenceNode && step < len(node.Content) {
			return node.Content[step]
		}
	case string:
		for i := 0; node.Kind == yaml.MappingNode && i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == step {
				return node.Content[i+1]
			}
		}
	}
	return nil
}

// AppendKey adds a field at the end of an object.
func AppendKey(node *yaml.Node, name string, value any) {
	k, v := &yaml.Node{}, &yaml.Node{}
	k.SetString(name)
	if err := v.Encode(value); err != nil {
		return
	}
	Root(node).Content = append(Root(node).Content, k, v)
}
