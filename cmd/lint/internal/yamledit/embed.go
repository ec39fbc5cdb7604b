package yamledit

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// Embedded parses the string at a path as a file of its own, for YAML or JSON
// written inside YAML. Its positions are positions in the outer file. They are
// exact in a literal block scalar (|). In the other styles all are the position
// of the string, and Find reports that they are not exact. Embedded reports
// false if there is no string, or one with too many documents.
func (d *Document) Embedded(path ...any) (*File, bool) {
	_, value, written := walk(d.root(), path)
	if !written {
		return nil, false
	}
	value = target(value)
	if value.Kind != yaml.ScalarNode || !isText(value) {
		return nil, false
	}
	text := []byte(value.Value)
	f := &File{Name: d.File.Name, text: func() []byte { return text }, origin: &origin{
		doc:    d,
		path:   path,
		scalar: d.start + d.tree().offset(value),
		inner:  newLines(text, yamlBreak),
	}}
	if value.Style&yaml.LiteralStyle != 0 {
		f.origin.outer = d.literalLines(value, f.origin.inner)
	}
	if err := f.parse(&Reader{}); err != nil {
		return nil, false
	}
	return f, true
}

// literalLines returns the offset in the file of each line of a literal block
// scalar, nil if a line does not stand there unchanged.
func (d *Document) literalLines(n *yaml.Node, inner lines) []int {
	t := d.tree()
	header := t.lineOf(t.offset(n))
	indent := t.blockIndent(n)
	outer := make([]int, 0, len(inner.starts))
	for i := range inner.starts {
		content := inner.content(i)
		line := header + 1 + i
		if line >= len(t.starts) {
			if len(content) > 0 {
				return nil
			}
			break // the end of the document
		}
		raw := t.content(line)
		margin := min(indent, len(raw))
		if len(content) > 0 && !bytes.Equal(raw[margin:], content) {
			return nil
		}
		outer = append(outer, d.start+t.starts[line]+margin)
	}
	return outer
}
