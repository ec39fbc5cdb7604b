package flux

import (
	"bytes"
	"errors"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// nodesOf parses a stream; documents without content are left out.
func nodesOf(data []byte) ([]*yaml.Node, bool) {
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
		if root(node).Tag != "!!null" {
			out = append(out, node)
		}
	}
}

func contentful(docs []*yamledit.Document) []*yamledit.Document {
	var out []*yamledit.Document
	for _, doc := range docs {
		if value, err := doc.Decode(); err != nil || value != nil {
			out = append(out, doc)
		}
	}
	return out
}

func encode(nodes []*yaml.Node) []byte {
	var b bytes.Buffer
	for _, node := range nodes {
		data, err := yaml.Marshal(node)
		if err != nil {
			return nil
		}
		b.WriteString("---\n")
		b.Write(data)
	}
	return b.Bytes()
}

// root gives the content of a document node.
func root(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.DocumentNode && len(node.Content) == 1 {
		return node.Content[0]
	}
	return node
}

// lookup gives the node at a path; nil if it is not written there itself.
func lookup(node *yaml.Node, path []any) *yaml.Node {
	node = root(node)
	for _, step := range path {
		for node != nil && node.Kind == yaml.AliasNode {
			node = node.Alias
		}
		if node = child(node, step); node == nil {
			return nil
		}
	}
	return node
}

func child(node *yaml.Node, step any) *yaml.Node {
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

func appendKey(node *yaml.Node, key string, value any) {
	k, v := &yaml.Node{}, &yaml.Node{}
	k.SetString(key)
	if err := v.Encode(value); err != nil {
		return
	}
	root(node).Content = append(root(node).Content, k, v)
}
