package yamledit

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

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
