package yamledit

import (
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

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

// fault returns a mistake at a node.
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
