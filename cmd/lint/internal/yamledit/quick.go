package yamledit

import (
	"bytes"
	"encoding/binary"

	"go.yaml.in/yaml/v3"
)

// Most manifests are block mappings and lists of short scalars, which can be read in a
// fraction of the time that the YAML parser takes. Wherever the reader below is not certain
// that the parser would read the same, it gives up, and the parser reads the document.

// The reader does not look at the limits of a document: these are below. A text has at most
// three nodes in five bytes, "- a:".
const (
	quickSize  = 768 << 10
	quickDepth = 60
	quickKey   = 128 // bytes; the parser refuses much longer ones
	quickKeys  = 50  // of a mapping: each is compared with those before, later ones are looked up
)

// quick returns what [parseNode] returns of a text, but for comments, and reports whether
// it is certain of that. Lean leaves out what the field spec.values has, which it only
// checks.
func quick(text []byte, lean bool) (*yaml.Node, bool) {
	if !isQuick(text) {
		return nil, false
	}
	r := &quickReader{lean: lean}
	return r.read(text)
}

// read reads a text, and reports whether it is certain of what that holds.
func (r *quickReader) read(text []byte) (*yaml.Node, bool) {
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

// isQuick reports whether a text may be read quickly: it has lines of printable ASCII.
// Some other characters are line breaks for YAML, others are refused.
func isQuick(text []byte) bool {
	return len(text) > 0 && len(text) <= quickSize && text[len(text)-1] == '\n' && isPrintable(text)
}

// isPrintable reports whether a text is printable ASCII and line feeds.
func isPrintable(text []byte) bool {
	for len(text) >= 8 {
		if word := binary.LittleEndian.Uint64(text); hasOther(word) {
			if !isPrintableByByte(text[:8]) {
				return false
			}
		}
		text = text[8:]
	}
	return isPrintableByByte(text)
}

// hasOther reports whether one of eight bytes is not printable ASCII, or reports it falsely.
func hasOther(word uint64) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	return (word|(word-ones*' ')&^word|(word+ones))&tops != 0
}

func isPrintableByByte(text []byte) bool {
	for _, c := range text {
		if c > '~' || c < ' ' && c != '\n' {
			return false
		}
	}
	return true
}

// quickReader reads a text by lines. The open line is the next one with content.
type quickReader struct {
	line   []byte // of the open line, what is not read yet, without space at either end
	indent int    // the column of line; -1 at the end
	number int    // of the open line
	at     int    // where the open line begins in text
	rest   []byte // the lines after it
	text   []byte // all of it
	lost   bool   // it is not certain what was read

	depth int
	keys  [][]byte    // of the open mappings
	top   string      // the outermost key
	lean  bool        // spec.values is left out
	omit  bool        // what is read is only checked, and its nodes are one and the same
	nodes []yaml.Node // room for the next ones
	gap   gap         // what is left out; what is known of it is not read again

	by     *Reader // what it has read of other documents; nil if nothing is kept
	fields []int   // where the fields of spec begin, and where the last one ends
}

// gap is a part of a document that is not read: the lines up to an offset, which is not
// zero, and their number.
type gap struct{ end, lines int }

func (r *quickReader) lose() *yaml.Node {
	r.lost, r.line, r.indent, r.rest = true, nil, -1, nil
	return nil
}

// next opens the next line that holds more than space and a comment.
func (r *quickReader) next() {
	for len(r.rest) > 0 {
		r.number++
		end := bytes.IndexByte(r.rest, '\n')
		line := r.rest[:end]
		r.rest = r.rest[end+1:]
		indent := 0
		for indent < end && line[indent] == ' ' {
			indent++
		}
		if indent == end || line[indent] == '#' {
			continue
		}
		for line[end-1] == ' ' {
			end--
		}
		r.at = len(r.text) - len(r.rest) - len(line) - 1
		r.indent, r.line = indent, line[indent:end]
		return
	}
	r.line, r.indent, r.at = nil, -1, len(r.text)
}

// node returns a node that begins at a column of the open line.
func (r *quickReader) node(kind yaml.Kind, tag string, column int) *yaml.Node {
	if len(r.nodes) == 0 {
		r.nodes = make([]yaml.Node, 32)
	}
	n := &r.nodes[0]
	if !r.omit {
		r.nodes = r.nodes[1:]
	}
	*n = yaml.Node{Kind: kind, Tag: tag, Line: r.number, Column: column + 1, Content: n.Content[:0]}
	return n
}

// mapping reads a mapping whose keys stand at a column.
func (r *quickReader) mapping(column int) *yaml.Node {
	m := r.node(yaml.MappingNode, "!!map", column)
	r.depth++
	first, later := len(r.keys), map[string]bool(nil)
	for r.indent == column && !isItem(r.line) {
		name, value, ok := cutKey(r.line)
		if !ok || r.depth > quickDepth || later[string(name)] || hasKey(r.keys[first:], name) {
			return r.lose()
		}
		if len(r.keys)-first < quickKeys {
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
func (r *quickReader) field(name, text []byte, column int) *yaml.Node {
	at := column + len(r.line) - len(text)
	if len(text) == 0 || text[0] == '#' {
		at = column + len(name) + 1
	}
	if r.depth == 1 {
		r.top = r.kept(name)
	}
	if !r.lean || r.depth != 2 || r.top != "spec" || string(name) != "values" {
		return r.value(text, at, column, true)
	}
	left := r.node(yaml.ScalarNode, "!!null", at)
	if r.gap.end > 0 {
		r.rest, r.number = r.text[r.gap.end:], r.number+r.gap.lines
		r.next()
		return left
	}
	begin := r.number
	r.omit = true
	r.value(text, at, column, true)
	r.omit = false
	r.gap = gap{r.at, bytes.Count(r.text[:r.at], []byte("\n")) - begin}
	return left
}

// kept returns the text of a node, if that is kept.
func (r *quickReader) kept(text []byte) string {
	switch {
	case r.omit:
		return ""
	case r.by == nil:
		return string(text)
	}
	return r.by.text(text)
}

// list reads a list whose dashes stand at a column.
func (r *quickReader) list(column int) *yaml.Node {
	l := r.node(yaml.SequenceNode, "!!seq", column)
	items := l.Content
	r.depth++
	for r.indent == column && isItem(r.line) {
		text := bytes.TrimLeft(r.line[1:], " ")
		at := column + len(r.line) - len(text)
		switch _, _, isMapping := cutKey(text); {
		case r.depth > quickDepth, len(text) == 0, isItem(text):
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
func (r *quickReader) value(text []byte, at, parent int, ofKey bool) *yaml.Node {
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
	if r.next(); r.indent > parent { // a scalar of several lines
		return r.lose()
	}
	return n
}
