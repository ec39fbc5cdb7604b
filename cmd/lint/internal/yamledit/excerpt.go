package yamledit

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Excerpt is a field as it is written, without anything that stands beside it.
type Excerpt struct {
	// Text is "timeout: 10m" behind its indentation. What a collection holds is left
	// out: "spec:", "spec: {…}".
	Text string
	// Column is where the field begins in Text, counted from 0 in characters.
	Column int
}

const (
	longestIndent  = 40
	longestExcerpt = 120
)

// Excerpt returns the field at which [Document.Find] finds a path: with value as "timeout: 10m",
// without as "timeout:".
func (d *Document) Excerpt(value bool, path ...any) Excerpt {
	t := d.treeAt(path)
	root := d.rootOf(t)
	key, node, _ := walk(root, path)
	if key == nil {
		return Excerpt{}
	}
	if node == root && target(root).Kind == yaml.MappingNode && len(target(root).Content) > 1 {
		node = target(root).Content[1]
	}
	before := t.before(key)
	text := before + t.field(key, node, value)
	if all := []rune(text); len(all) > longestExcerpt {
		text = string(all[:longestExcerpt]) + "…"
	}
	return Excerpt{Text: text, Column: len([]rune(before))}
}

// before returns the indentation of a key, or what stands for text before it.
func (t *tree) before(key *yaml.Node) string {
	at := t.offset(key)
	before := string(t.text[t.startOfLine(at):at])
	if strings.Trim(before, " -") != "" || len(before) > longestIndent {
		return "… "
	}
	return before
}

// field writes a key with its value, or an item of a list.
func (t *tree) field(key, node *yaml.Node, value bool) string {
	name := key.Value + ":"
	if key == node {
		name = ""
	}
	content := target(node)
	switch {
	case content.Kind == yaml.MappingNode && (isFlow(content) || name == ""):
		return strings.TrimSpace(name + " {…}")
	case content.Kind == yaml.SequenceNode && isFlow(content):
		return strings.TrimSpace(name + " […]")
	case content.Kind != yaml.ScalarNode || isEmpty(content):
		return name
	}
	raw := t.text[t.offset(node):t.end(node)]
	if !value || isBlockScalar(content) || bytes.ContainsAny(raw, "\r\n") {
		return strings.TrimSpace(name + " …")
	}
	return strings.TrimSpace(name + " " + string(raw))
}
