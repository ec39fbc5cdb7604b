package yamledit

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Limits of what is read. A larger document could not be sent to an API server,
// which accepts requests of up to 3 MiB.
const (
	MaxFileSize     = 10 << 20 // bytes of one file
	MaxDocuments    = 10_000   // documents of one file
	MaxDocumentSize = 3 << 20  // bytes of one document
	MaxDepth        = 500      // nested collections
	MaxNodes        = 500_000  // keys and values of one document, aliases expanded
)

// Position is a place in a file. Line and column count from 1, the column in
// characters; a tab is one character.
type Position struct{ Line, Column int }

// File is a stream of documents.
type File struct {
	Name      string
	Documents []*Document

	text   func() []byte
	starts again[lines]
	origin *origin // of an embedded file
}

// Data returns the text of the file, which must not be changed.
func (f *File) Data() []byte { return f.text() }

func (f *File) lines() *lines {
	return f.starts.get(func() *lines {
		found := newLines(f.Data(), editorBreak)
		return &found
	})
}

// Document is one document of a file, or a part of one (see [Document.Each]).
// It is safe for concurrent use.
type Document struct {
	File  *File
	Index int   // among File.Documents; a part has the index of its document
	Line  int   // of the first content
	Err   error // why the document cannot be read: a *SyntaxError

	start, end int // bytes of File.Data
	memo       *memo
	part       *yaml.Node // the root of a part
	partPath   []any      // the path to a part in its document
}

// origin is where the text of an embedded file stands in its outer file.
type origin struct {
	doc    *Document // of the outer file
	path   []any     // to the scalar in it
	scalar int       // offset of the scalar in the outer file
	inner  lines     // of the embedded file
	outer  []int     // where each line begins in the outer file; nil if it does not stand there unchanged
}

// SyntaxError says why a document cannot be read. The line is where the parser
// noticed the mistake, which may be after it.
type SyntaxError struct {
	Line, Column int
	Message      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

func (d *Document) bytes() []byte { return d.File.Data()[d.start:d.end] }

// Root returns the nodes of the document, which must not be changed and may be without
// their comments; nil if it is empty or cannot be read.
func (d *Document) Root() *yaml.Node { return d.root() }

// Source returns the text that the document is written in.
func (d *Document) Source() []byte { return d.bytes() }

// root returns nil for a document that is empty or cannot be read.
func (d *Document) root() *yaml.Node {
	if d.part != nil || d.Err != nil {
		return d.part
	}
	return d.tree().root
}

// treeAt returns a tree that has all nodes on the way to a path; nil for a document that
// cannot be read. Where it can, it leaves out values, which may be most of a document.
func (d *Document) treeAt(path []any) *tree {
	switch {
	case d.Err != nil:
		return nil
	case !d.memo.quickly || d.part != nil || len(path) > 1 && path[0] == "spec" && path[1] == "values":
		return d.tree()
	}
	return d.lean()
}

// rootOf is root in a tree of the document.
func (d *Document) rootOf(t *tree) *yaml.Node {
	if d.part != nil || t == nil {
		return d.part
	}
	return t.root
}

// generatedNames are files that flux bootstrap and flux install write anew.
var generatedNames = []string{"gotk-components.yaml", "gotk-sync.yaml"}

// saysGenerated matches a comment that says so of its file.
var saysGenerated = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bdo not (edit|modify|change)\b|@generated\b|^#\W*(this (file|manifest) )?((is|was|has been) )?(auto(matically)?[- ]?)?generated\b|^#\W*code generated\b`)
})

// IsGenerated reports whether a tool writes a file anew, by its name or by the comments that it
// begins with: what is changed in it is lost.
func IsGenerated(name string, data []byte) bool {
	if slices.Contains(generatedNames, path.Base(filepath.ToSlash(name))) {
		return true
	}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		switch {
		case bytes.HasPrefix(line, []byte("#")):
			if saysGenerated().Match(line) {
				return true
			}
		case len(line) > 0 && !bytes.Equal(line, []byte("---")):
			return false
		}
	}
	return false
}

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
