package yamledit

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// Embedded parses the string at a path as a file of its own, for YAML or JSON
// written inside YAML. Positions in it are positions in the outer file: exact
// in a literal block scalar (|); in the other styles all are that of the
// string itself, and Find says not exact. It is false if no string is there,
// or one of too many documents.
func (d *Document) Embedded(path ...any) (*File, bool) {
	root := d.root()
	if root == nil {
		return nil, false
	}
	_, value, written := walk(root, path)
	value = target(value)
	if !written || value.Kind != yaml.ScalarNode || !isText(value) {
		return nil, false
	}
	t, text := d.tree(), []byte(value.Value)
	o := &origin{doc: d, path: path, scalar: d.start + t.offset(value), inner: lineStarts(text, yamlBreak)}
	if value.Style&yaml.LiteralStyle != 0 {
		o.outer = t.literalLines(value, o.inner)
		for i := range o.outer {
			o.outer[i] += d.start
		}
	}
	f, err := parse(&File{Name: d.File.Name, Data: text, origin: o})
	return f, err == nil
}

// literalLines finds the offset in the outer text of each line of a literal
// block scalar; nil if one does not stand there as it is.
func (t *tree) literalLines(n *yaml.Node, inner []int) []int {
	text := []byte(n.Value)
	header := lineOf(t.lines, t.offset(n))
	indent := t.blockIndent(n)
	outer := make([]int, 0, len(inner))
	for i, start := range inner {
		content := trimBreak(text[start:lineEnd(text, inner, i)])
		line := header + 1 + i
		if line >= len(t.lines) {
			if len(content) > 0 {
				return nil
			}
			break // the end of the file
		}
		at := t.lines[line]
		raw := trimBreak(t.text[at:lineEnd(t.text, t.lines, line)])
		margin := min(indent, len(raw))
		if len(content) > 0 && !bytes.Equal(raw[margin:], content) {
			return nil
		}
		outer = append(outer, at+margin)
	}
	return outer
}

// blockIndent gives the number of spaces before the text of a block scalar: what
// its first line that is not blank has more than that line of the text.
func (t *tree) blockIndent(n *yaml.Node) int {
	text := []byte(n.Value)
	inner, ok := firstMargin(text, lineStarts(text, yamlBreak), 0)
	outer, _ := firstMargin(t.text, t.lines, lineOf(t.lines, t.offset(n))+1)
	if !ok {
		return 0
	}
	return max(outer-inner, 0)
}

// firstMargin gives the leading spaces of the first line, from a line on, that
// holds more than spaces.
func firstMargin(text []byte, lines []int, from int) (int, bool) {
	for i := from; i < len(lines); i++ {
		line := trimBreak(text[lines[i]:lineEnd(text, lines, i)])
		if spaces := len(line) - len(bytes.TrimLeft(line, " ")); spaces < len(line) {
			return spaces, true
		}
	}
	return 0, false
}

func trimBreak(line []byte) []byte {
	for i := range line {
		if yamlBreak(line[i:]) > 0 {
			return line[:i]
		}
	}
	return line
}
