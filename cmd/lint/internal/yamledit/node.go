package yamledit

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

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

// tree is the text of one document and its nodes. The nodes count lines and
// columns in this text.
type tree struct {
	lines
	root *yaml.Node // nil for an empty document
}

// fault is a mistake at an offset of a document's text.
type fault struct {
	offset  int
	message string
}

func (t *tree) fault(n *yaml.Node, message string) *fault {
	return &fault{offset: t.offset(n), message: message}
}

// offset returns where a node begins, after its anchor and tag.
func (t *tree) offset(n *yaml.Node) int {
	at := t.start(n)
	if isEmpty(n) {
		return at
	}
	return t.skipProperties(at)
}

// start returns where a node begins, with its anchor and tag.
func (t *tree) start(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(t.starts) {
		return 0
	}
	at := t.starts[n.Line-1]
	for column := 1; column < n.Column && at < len(t.text); column++ {
		_, size := utf8.DecodeRune(t.text[at:])
		at += size
	}
	return at
}

// blockIndent returns the number of spaces that the document puts before the
// lines of a block scalar: the difference between its first line that is not
// blank in the document and in the value.
func (t *tree) blockIndent(n *yaml.Node) int {
	value := newLines([]byte(n.Value), yamlBreak)
	inner, ok := value.indentFrom(0)
	outer, _ := t.indentFrom(t.lineOf(t.offset(n)) + 1)
	if !ok {
		return 0
	}
	return max(outer-inner, 0)
}

// end returns the offset after the last byte of a node, which the YAML parser
// does not record. A block scalar ends before its last line break.
func (t *tree) end(n *yaml.Node) int {
	at := t.offset(n)
	switch {
	case n.Kind == yaml.AliasNode:
		return min(at+len("*")+len(n.Value), len(t.text))
	case n.Kind != yaml.ScalarNode:
		return t.endOfCollection(n, at)
	case isBlockScalar(n):
		return t.endOfBlock(n, at)
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return t.endOfDouble(at + 1)
	case n.Style&yaml.SingleQuotedStyle != 0:
		return t.endOfSingle(at + 1)
	case isEmpty(n):
		return t.endOfProperties(at)
	}
	return t.endOfPlain(n, at)
}

// endOfCollection returns the end of the last child, or in flow style the
// offset after the closing bracket.
func (t *tree) endOfCollection(n *yaml.Node, at int) int {
	if !isFlow(n) {
		if len(n.Content) > 0 {
			return t.end(n.Content[len(n.Content)-1])
		}
		return at
	}
	at++
	if len(n.Content) > 0 {
		at = t.end(n.Content[len(n.Content)-1])
	}
	for at = t.skipSpace(at); at < len(t.text); at = t.skipSpace(at + 1) {
		if c := t.text[at]; c == '}' || c == ']' {
			return at + 1
		}
	}
	return at
}

// endOfBlock returns the end of the last line of a block scalar. Its lines are
// blank or indented at least as far as the first one. Blank lines at the end
// belong to it only if the header keeps them.
func (t *tree) endOfBlock(n *yaml.Node, at int) int {
	header := t.lineOf(at)
	end := t.endOfLine(at)
	keep := bytes.Contains(t.text[at:end], []byte("+"))
	written := strings.Trim(n.Value, "\n") != ""
	indent := t.blockIndent(n)
	for i := header + 1; i < len(t.starts); i++ {
		line := t.content(i)
		spaces := len(line) - len(bytes.TrimLeft(line, " "))
		blank := spaces == len(line)
		if !blank && (!written || spaces < indent) {
			break
		}
		if !blank || keep && i+1 < len(t.starts) || written && len(line) > indent {
			end = t.starts[i] + len(line)
		}
	}
	return end
}

// endOfPlain returns the end of a plain scalar. It counts the characters that
// the value and the text have in common, line folding aside.
func (t *tree) endOfPlain(n *yaml.Node, at int) int {
	left := 0
	for _, r := range n.Value {
		if !isFolded(r) {
			left++
		}
	}
	for at < len(t.text) && left > 0 {
		r, size := utf8.DecodeRune(t.text[at:])
		if !isFolded(r) {
			left--
		}
		at += size
	}
	return at
}

// isFolded reports whether line folding may change a character.
func isFolded(r rune) bool { return strings.ContainsRune(" \t\r\n\u0085\u2028\u2029", r) }
