package yamledit

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// entryStart gives the offset of an entry, at the mark of an item or an
// explicit key.
func (e *editor) entryStart(parent, first *yaml.Node) int {
	at := e.start(first)
	if isFlow(parent) {
		return at
	}
	mark := byte('?')
	if parent.Kind == yaml.SequenceNode {
		mark = '-'
	}
	before := bytes.TrimRight(e.text[:at], " \t\r\n")
	if isEmpty(first) && parent.Kind == yaml.SequenceNode {
		before = e.text[:at]
	}
	if n := len(before); n > 0 && before[n-1] == mark {
		return n - 1
	}
	return at
}

// column gives the spaces before the entries of a block collection.
func (e *editor) column(collection *yaml.Node) int {
	if len(collection.Content) == 0 {
		return 0
	}
	return e.columnAt(e.entryStart(collection, collection.Content[0]))
}

func (e *editor) columnAt(at int) int {
	return utf8.RuneCount(e.text[e.lines[lineOf(e.lines, at)]:at])
}

// lineBefore gives the end of the line before that of an offset.
func (e *editor) lineBefore(at int) int {
	if line := lineOf(e.lines, at); line > 0 {
		return e.endOfLine(e.lines[line-1])
	}
	return 0
}

// colon gives the offset after the colon of a slot's key.
func (e *editor) colon(s slot) int {
	at := e.skipSpace(e.end(s.key))
	if at < len(e.text) && e.text[at] == ':' {
		return at + 1
	}
	return len(e.text) + 1 // refused by apply
}

// blockMargin gives the spaces before the lines of a block scalar in a slot.
func (e *editor) blockMargin(s slot) int {
	if s.value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		if n := e.blockIndent(s.value); n > 0 {
			return n
		}
	}
	return e.column(s.parent) + e.style.step
}

func isFlow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

// isBlock tells whether a node is a collection in lines of its own.
func isBlock(n *yaml.Node) bool {
	return n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode && !isFlow(n)
}

// isFilled tells whether a value is a collection with something in it.
func isFilled(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}

// isJSON tells whether the keys and strings of a flow collection are quoted.
func isJSON(n *yaml.Node) bool {
	for _, item := range n.Content {
		if item.Kind == yaml.ScalarNode && item.Style&yaml.DoubleQuotedStyle != 0 {
			return true
		}
	}
	return false
}
