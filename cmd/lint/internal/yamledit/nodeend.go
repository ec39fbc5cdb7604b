package yamledit

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// end gives the offset after the last byte of a node, which the YAML parser does
// not tell. A block scalar ends before its last line break.
func (t *tree) end(n *yaml.Node) int {
	at := t.offset(n)
	switch {
	case n.Kind == yaml.AliasNode:
		return min(at+len("*")+len(n.Value), len(t.text))
	case n.Kind != yaml.ScalarNode:
		return t.endOfCollection(n, at)
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
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

// endOfCollection is that of the last child, past the bracket in flow style.
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

// endOfBlock finds the last line that belongs to a block scalar: the following
// lines that are as far to the right as the first one, or blank. Blank lines at
// the end count only where the header says to keep them.
func (t *tree) endOfBlock(n *yaml.Node, at int) int {
	header := lineOf(t.lines, at)
	end := t.endOfLine(at)
	keep := strings.Contains(string(t.text[at:end]), "+")
	written := strings.Trim(n.Value, "\n") != ""
	indent := t.blockIndent(n)
	for i := header + 1; i < len(t.lines); i++ {
		line := trimBreak(t.text[t.lines[i]:lineEnd(t.text, t.lines, i)])
		blank := strings.TrimLeft(string(line), " ") == ""
		if !blank && (!written || len(line)-len(strings.TrimLeft(string(line), " ")) < indent) {
			break
		}
		if !blank || keep && i+1 < len(t.lines) || written && len(line) > indent {
			end = t.lines[i] + len(line)
		}
	}
	return end
}

func (t *tree) endOfDouble(at int) int {
	for ; at < len(t.text); at++ {
		switch t.text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(t.text)
}

func (t *tree) endOfSingle(at int) int {
	for ; at < len(t.text); at++ {
		if t.text[at] != '\'' {
			continue
		}
		if at+1 == len(t.text) || t.text[at+1] != '\'' {
			return at + 1
		}
		at++
	}
	return len(t.text)
}

// folds tells whether a character may stand between the words of a scalar of
// several lines in another form than in its value.
func folds(r rune) bool { return strings.ContainsRune(" \t\r\n\u0085\u2028\u2029", r) }

// endOfPlain counts the characters that do not fold.
func (t *tree) endOfPlain(n *yaml.Node, at int) int {
	left := 0
	for _, r := range n.Value {
		if !folds(r) {
			left++
		}
	}
	for at < len(t.text) && left > 0 {
		r, size := utf8.DecodeRune(t.text[at:])
		if !folds(r) {
			left--
		}
		at += size
	}
	return at
}

// endOfProperties goes past the anchor and tag of a value that is not written.
func (t *tree) endOfProperties(at int) int {
	end := at
	for at < len(t.text) && (t.text[at] == '&' || t.text[at] == '!') {
		end = t.endOfWord(at)
		for at = end; at < len(t.text) && (t.text[at] == ' ' || t.text[at] == '\t'); {
			at++
		}
	}
	return end
}
