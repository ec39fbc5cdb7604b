// Package quick reads YAML of the form that most manifests have in a fraction of the time and
// memory that the parser takes: block mappings and lists of short scalars, in printable ASCII.
//
// Its boundary: it returns the nodes that the parser returns, but for comments, or it says that it
// is not certain, and its caller asks the parser. Anchors, tags, flow collections with content, folded
// and multi-line scalars, escapes and all other characters are never certain. FuzzQuick of package
// yamledit holds it to the parser. What it buys are the rows of plain trees in bench/README.md:
// 1,000 releases take 1.5 times the CPU and twice the memory without it. Repositories with clusters, in which
// builds take most of the time, do not gain.
package quick

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// The reader does not look at the limits of a document: these are below. A text has at most
// three nodes in five bytes, "- a:".
const (
	MaxSize  = 768 << 10
	MaxKeys  = 50 // of a mapping: each is compared with those before, later ones are looked up
	maxDepth = 60
	maxKey   = 128 // bytes; the parser refuses much longer ones
)

// Read returns the root of a text, and reports whether it is certain of that. Lean leaves out
// what the field spec.values has, which it only checks.
func Read(text []byte, lean bool) (*yaml.Node, bool) {
	if !Is(text) {
		return nil, false
	}
	return (&Reader{Lean: lean}).Read(text)
}

// Read reads a text, and reports whether it is certain of what that holds.
func (r *Reader) Read(text []byte) (*yaml.Node, bool) {
	r.text, r.rest = text, text
	r.next()
	if r.indent == 0 && string(r.line) == "---" {
		r.next()
	}
	if r.indent != 0 {
		return nil, false
	}
	root := r.mapping(0)
	return root, !r.lost && r.indent < 0
}

// Reader reads a text by lines.
type Reader struct {
	cursor
	// Lean leaves out spec.values. Where these are is then known: Values, with which the next
	// Reader of the text does not look at them.
	Lean   bool
	Values Gap
	// Keep returns a short text, which may be one that was read before; nil makes each anew.
	Keep func([]byte) string
	// Room is where the next nodes are made.
	Room []yaml.Node

	fields []int // where the fields of spec begin, and where the last one ends
	depth  int
	keys   [][]byte // of the open mappings
	top    string   // the outermost key
	omit   bool     // what is read is only checked, and its nodes are one and the same
}

// Gap is a part of a document that is not read: the lines up to an offset, which is not
// zero, and their number.
type Gap struct{ end, lines int }

// Field returns the lines of a field of spec by its number; nil if there is none.
func (r *Reader) Field(i int) []byte {
	if i+1 >= len(r.fields) {
		return nil
	}
	return r.text[r.fields[i]:r.fields[i+1]]
}

func (r *Reader) lose() *yaml.Node {
	r.lost, r.line, r.indent, r.rest = true, nil, -1, nil
	return nil
}

// node returns a node that begins at a column of the open line.
func (r *Reader) node(kind yaml.Kind, tag string, column int) *yaml.Node {
	if len(r.Room) == 0 {
		r.Room = make([]yaml.Node, 32)
	}
	n := &r.Room[0]
	if !r.omit {
		r.Room = r.Room[1:]
	}
	*n = yaml.Node{Kind: kind, Tag: tag, Line: r.number, Column: column + 1, Content: n.Content[:0]}
	return n
}

// mapping reads a mapping whose keys stand at a column.
func (r *Reader) mapping(column int) *yaml.Node {
	m := r.node(yaml.MappingNode, "!!map", column)
	r.depth++
	first, later := len(r.keys), map[string]bool(nil)
	for r.indent == column && !isItem(r.line) {
		name, value, ok := cutKey(r.line)
		if !ok || r.depth > maxDepth || later[string(name)] || hasKey(r.keys[first:], name) {
			return r.lose()
		}
		if len(r.keys)-first < MaxKeys {
			r.keys = append(r.keys, name)
		} else {
			later = with(later, name)
		}
		if r.omit {
			r.field(name, value, column)
			continue
		}
		if r.depth == 2 && r.top == "spec" {
			r.fields = append(r.fields, r.at)
		}
		key := r.node(yaml.ScalarNode, "!!str", column)
		key.Value = r.kept(name)
		m.Content = append(m.Content, key, r.field(name, value, column))
	}
	if r.depth == 2 && r.top == "spec" {
		r.fields = append(r.fields, r.at)
	}
	if r.depth--; r.indent > column || len(r.keys) == first {
		return r.lose()
	}
	r.keys = r.keys[:first]
	return m
}

// hasKey reports whether a key is among others.
func hasKey(keys [][]byte, name []byte) bool {
	for _, key := range keys {
		if bytes.Equal(key, name) {
			return true
		}
	}
	return false
}

// with adds a key to a set, which may be nil.
func with(set map[string]bool, key []byte) map[string]bool {
	if set == nil {
		set = map[string]bool{}
	}
	set[string(key)] = true
	return set
}

// field reads the value of a key at a column, whose line ends with a text.
func (r *Reader) field(name, text []byte, column int) *yaml.Node {
	at := column + len(r.line) - len(text)
	if len(text) == 0 || text[0] == '#' {
		at = column + len(name) + 1
	}
	if r.depth == 1 {
		r.top = r.kept(name)
	}
	if !r.Lean || r.depth != 2 || r.top != "spec" || string(name) != "values" {
		return r.value(text, at, column, true)
	}
	left := r.node(yaml.ScalarNode, "!!null", at)
	if r.Values.end > 0 {
		r.rest, r.number = r.text[r.Values.end:], r.number+r.Values.lines
		r.next()
		return left
	}
	begin := r.number
	r.omit = true
	r.value(text, at, column, true)
	r.omit = false
	r.Values = Gap{r.at, bytes.Count(r.text[:r.at], []byte("\n")) - begin}
	return left
}

func (r *Reader) kept(text []byte) string {
	switch {
	case r.omit:
		return ""
	case r.Keep == nil:
		return string(text)
	}
	return r.Keep(text)
}

// list reads a list whose dashes stand at a column.
func (r *Reader) list(column int) *yaml.Node {
	l := r.node(yaml.SequenceNode, "!!seq", column)
	items := l.Content
	r.depth++
	for r.indent == column && isItem(r.line) {
		text := bytes.TrimLeft(r.line[1:], " ")
		at := column + len(r.line) - len(text)
		switch _, _, isMapping := cutKey(text); {
		case r.depth > maxDepth, len(text) == 0, isItem(text):
			return r.lose()
		case isMapping:
			r.line, r.indent = text, at
			items = append(items, r.mapping(at))
		default:
			if text[0] == '#' {
				at = column + 1
			}
			items = append(items, r.value(text, at, column, false))
		}
		if r.omit {
			items = items[:0]
		}
	}
	l.Content = items
	if r.depth--; r.indent > column {
		return r.lose()
	}
	return l
}

// value reads what follows a key or a dash: a text at a column of the open line, or what
// is on the lines below. Its parent begins at a column, too.
func (r *Reader) value(text []byte, at, parent int, ofKey bool) *yaml.Node {
	if len(text) == 0 || text[0] == '#' {
		null := r.node(yaml.ScalarNode, "!!null", at)
		r.next()
		switch inner := r.indent; {
		case isItem(r.line) && (inner > parent || inner == parent && ofKey):
			return r.list(inner)
		case inner > parent:
			return r.mapping(inner)
		}
		return null
	}
	if text[0] == '|' {
		return r.literal(text[1:], at, parent)
	}
	n, ok := r.scalar(text, at)
	if !ok {
		return r.lose()
	}
	r.next() // that of a scalar of several lines stands deeper than the parent, which loses it
	return n
}
