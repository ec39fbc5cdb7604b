package yamledit

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// tree is the text of one document and its nodes, whose lines and columns count
// in that text. Offsets are bytes of the text.
type tree struct {
	text  []byte
	lines []int
	root  *yaml.Node // nil for an empty document
}

// target follows an alias to its anchor.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Tag == "!!merge"
}

// isEmpty tells whether a node is a value that is not written.
func isEmpty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&^yaml.TaggedStyle == 0
}

// entry is a key with its value in a mapping; of a list it is the item alone.
type entry struct {
	key, value *yaml.Node
	merged     bool // it is written in a mapping that a merge key names
}

// child finds the entry of a key, or the item of an index. What is written in a
// mapping itself goes before what it merges, as in kustomize.
func child(n *yaml.Node, step any) (entry, bool) {
	n = target(n)
	switch s := step.(type) {
	case int:
		if n.Kind == yaml.SequenceNode && s >= 0 && s < len(n.Content) {
			return entry{key: n.Content[s], value: n.Content[s]}, true
		}
	case string:
		if n.Kind == yaml.MappingNode {
			return field(n, s)
		}
	}
	return entry{}, false
}

func field(mapping *yaml.Node, name string) (entry, bool) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		if isMerge(key) {
			continue
		}
		if k, err := keyName(key); err == nil && k == name {
			return entry{key: key, value: mapping.Content[i+1]}, true
		}
	}
	for _, source := range mergedInto(mapping) {
		if e, ok := field(source, name); ok {
			e.merged = true
			return e, true
		}
	}
	return entry{}, false
}

// mergedInto gives the mappings that the merge key of a mapping names, the one
// that wins first.
func mergedInto(mapping *yaml.Node) []*yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if !isMerge(mapping.Content[i]) {
			continue
		}
		source := target(mapping.Content[i+1])
		if source.Kind != yaml.SequenceNode {
			return []*yaml.Node{source}
		}
		var sources []*yaml.Node
		for _, item := range source.Content {
			sources = append(sources, target(item))
		}
		return sources
	}
	return nil
}

// offset gives the place of a node, after its anchor and tag.
func (t *tree) offset(n *yaml.Node) int {
	at := t.start(n)
	if isEmpty(n) {
		return at
	}
	for at < len(t.text) && (t.text[at] == '&' || t.text[at] == '!') {
		at = t.skipSpace(t.endOfWord(at))
	}
	return at
}

// start gives the place of a node, at its anchor or tag if it has one.
func (t *tree) start(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(t.lines) {
		return 0
	}
	at := t.lines[n.Line-1]
	for column := 1; column < n.Column && at < len(t.text); column++ {
		_, size := utf8.DecodeRune(t.text[at:])
		at += size
	}
	return at
}

func (t *tree) endOfWord(at int) int {
	for at < len(t.text) && !isSpace(t.text[at]) {
		at++
	}
	return at
}

// skipSpace goes past space, line breaks and comments.
func (t *tree) skipSpace(at int) int {
	for at < len(t.text) {
		switch n := yamlBreak(t.text[at:]); {
		case n > 0:
			at += n
		case isSpace(t.text[at]):
			at++
		case t.text[at] == '#' && (at == 0 || isSpace(t.text[at-1])):
			at = t.endOfLine(at)
		default:
			return at
		}
	}
	return at
}

// endOfLine gives the offset of the next line break, or of the end.
func (t *tree) endOfLine(at int) int {
	end := lineEnd(t.text, t.lines, lineOf(t.lines, at))
	for i := at; i < end; i++ {
		if yamlBreak(t.text[i:]) > 0 {
			return i
		}
	}
	return end
}

func isSpace(c byte) bool { return bytes.IndexByte([]byte(" \t\r\n"), c) >= 0 }
