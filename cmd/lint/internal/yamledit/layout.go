package yamledit

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// styleOf learns the style of a document from its first nested collections, and
// the line break from its file.
func styleOf(t *tree, file []byte) style {
	s := style{newline: "\n", step: 2, listStep: -1}
	if i := bytes.IndexAny(file, "\r\n"); i >= 0 {
		s.newline = string(file[i : i+editorBreak(file[i:])])
	}
	seen := false
	for _, pair := range nestedBlocks(t.root) {
		step := t.column(pair[1]) - t.column(pair[0])
		switch {
		case pair[1].Kind == yaml.MappingNode && !seen && step > 0:
			s.step, seen = step, true
		case pair[1].Kind == yaml.SequenceNode && s.listStep < 0 && step >= 0:
			s.listStep = step
		}
	}
	if s.listStep < 0 {
		s.listStep = s.step
	}
	return s
}

// nestedBlocks returns each block mapping with each block collection among its
// values, in the order of the document.
func nestedBlocks(n *yaml.Node) [][2]*yaml.Node {
	if n == nil || n.Kind == yaml.AliasNode || isFlow(n) {
		return nil
	}
	var found [][2]*yaml.Node
	for i, item := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && isBlock(item) {
			found = append(found, [2]*yaml.Node{n, item})
		}
		found = append(found, nestedBlocks(item)...)
	}
	return found
}

// column returns the indentation of the entries of a block collection.
func (t *tree) column(collection *yaml.Node) int {
	if len(collection.Content) == 0 {
		return 0
	}
	return t.columnAt(t.entryStart(collection, collection.Content[0]))
}

// entryStart returns where an entry begins, at the mark of an item or of an
// explicit key. The entry is named by its first node.
func (t *tree) entryStart(parent, first *yaml.Node) int {
	at := t.start(first)
	if isFlow(parent) {
		return at
	}
	mark := byte('?')
	if parent.Kind == yaml.SequenceNode {
		mark = '-'
	}
	before := bytes.TrimRight(t.text[:at], " \t\r\n")
	if isEmpty(first) && parent.Kind == yaml.SequenceNode {
		before = t.text[:at]
	}
	if n := len(before); n > 0 && before[n-1] == mark {
		return n - 1
	}
	return at
}

// afterColon returns the offset after the colon of a key. Without a colon it
// lies outside the text, so that the edit is refused.
func (t *tree) afterColon(key *yaml.Node) int {
	at := t.skipSpace(t.end(key))
	if at < len(t.text) && t.text[at] == ':' {
		return at + 1
	}
	return len(t.text) + 1
}

// endOfComments returns the end of the last of the lines after an offset that are
// commented out of a collection's last entry: as text they would be deeper than the
// collection's column, or items of a list in that column.
func (t *tree) endOfComments(at, column int) int {
	for line := t.lineOf(at) + 1; line < len(t.starts); line++ {
		text := bytes.TrimLeft(t.content(line), " \t")
		if len(text) == 0 {
			continue
		}
		if text[0] != '#' || !commentedBelow(t.content(line), column) {
			break
		}
		at = t.starts[line] + len(t.content(line))
	}
	return at
}

// commentedBelow reports whether a comment, without its mark and one space, would be
// deeper than a column, or an item of a list in it.
func commentedBelow(line []byte, column int) bool {
	mark := bytes.IndexByte(line, '#')
	text := bytes.TrimLeft(line[mark+1:], " \t")
	if at := max(mark, len(line)-len(text)-2); at != column {
		return at > column
	}
	return bytes.HasPrefix(text, []byte("- "))
}
