package trace

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// encode writes one document as kustomize does, so that what is read of it is the same. The library adds line
// breaks to folded scalars and takes some away. It is given literals instead, which are folded in its text:
// they stay folded, because kustomize writes them once more by the same library.
func encode(node *yaml.Node) ([]byte, error) {
	nodes := under(node)
	folded := make([]bool, len(nodes))
	risky := false
	for i, n := range nodes {
		if folded[i] = n.Kind == yaml.ScalarNode && n.Style&yaml.FoldedStyle != 0; folded[i] {
			n.Style = n.Style&^yaml.FoldedStyle | yaml.LiteralStyle
		}
		risky = risky || folded[i] || n.Style&yaml.LiteralStyle != 0 && strings.HasPrefix(strings.TrimLeft(n.Value, "\n"), " ")
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(node); err != nil || !risky {
		return b.Bytes(), err
	}
	written, err := sameAs(nodes, b.Bytes())
	if err != nil || !slices.Contains(folded, true) {
		return b.Bytes(), err
	}
	lines := bytes.Split(b.Bytes(), []byte("\n"))
	for i, n := range slices.Backward(written) {
		if folded[i] && n.Style&yaml.LiteralStyle != 0 {
			lines = slices.Concat(lines[:n.Line-1], fold(lines[n.Line-1:], n))
		}
	}
	data := bytes.Join(lines, []byte("\n"))
	_, err = sameAs(nodes, data)
	return data, err
}

// under returns a node and all nodes in it, in their order.
func under(node *yaml.Node) []*yaml.Node {
	out := []*yaml.Node{node}
	for _, inner := range node.Content {
		out = append(out, under(inner)...)
	}
	return out
}

func sameAs(nodes []*yaml.Node, text []byte) ([]*yaml.Node, error) {
	again := &yaml.Node{}
	if err := yaml.Unmarshal(text, again); err != nil {
		return nil, err
	}
	if nodes[0].Kind != yaml.DocumentNode {
		again = Root(again)
	}
	written := under(again)
	if !slices.EqualFunc(written, nodes, func(a, b *yaml.Node) bool { return a.Kind == b.Kind && a.Value == b.Value }) {
		return nil, errors.New("a scalar cannot be written so that it is read again")
	}
	return written, nil
}

// fold makes a folded scalar of the literal that begins in the first of some lines. A reader takes one
// line break away between two lines of which none begins with a space.
func fold(lines [][]byte, literal *yaml.Node) [][]byte {
	head := []rune(string(lines[0]))
	at := literal.Column - 1
	for head[at] == '&' || head[at] == '!' {
		at += slices.Index(head[at:], ' ') + 1
	}
	head[at] = '>'
	out := [][]byte{[]byte(string(head))}
	words, before := strings.Split(literal.Value, "\n"), false
	for i, line := range lines[1:] {
		if i < len(words) && words[i] != "" {
			own := !strings.HasPrefix(words[i], " ") && !strings.HasPrefix(words[i], "\t")
			if own && before {
				out = append(out, nil)
			}
			before = own
		}
		out = append(out, line)
	}
	return out
}
