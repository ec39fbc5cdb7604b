package yamledit

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// Most manifests are block mappings and lists of short scalars, which can be read in a
// fraction of the time that the YAML parser takes. Wherever the reader below is not certain
// that the parser would read the same, it gives up, and the parser reads the document.

// quickSize and quickDepth are far below the limits of a document, which quick does not
// look at.
const (
	quickSize  = 256 << 10
	quickDepth = 60
	quickKey   = 128 // bytes; the parser refuses much longer ones
)

// quick returns what [Document.Object] returns of a text, and reports whether it is
// certain of that.
func quick(text []byte) (map[string]any, bool) {
	if len(text) > quickSize || len(text) == 0 || text[len(text)-1] != '\n' || bytes.ContainsFunc(text, isOdd) {
		return nil, false
	}
	r := &quickReader{rest: text}
	r.next()
	if marker, ok := bytes.CutPrefix(r.line, []byte("---")); ok && len(bytes.TrimLeft(marker, " ")) == 0 {
		r.next()
	}
	if r.indent != 0 || len(r.line) == 0 {
		return nil, false
	}
	object := r.mapping(0, 0)
	return object, !r.lost && r.indent < 0
}

// isOdd reports whether a character is not printable ASCII: some are line breaks for YAML,
// others are refused.
func isOdd(c rune) bool { return c > '~' || c < ' ' && c != '\n' }

// quickReader reads a text by lines. The open line is the next one with content.
type quickReader struct {
	line   []byte // of the open line, what is not read yet, without space at either end
	indent int    // the column of line; -1 at the end
	rest   []byte // the lines after it
	lost   bool   // it is not certain what was read
}

func (r *quickReader) lose() any {
	r.lost, r.line, r.indent, r.rest = true, nil, -1, nil
	return nil
}

// next opens the next line that holds more than space and a comment.
func (r *quickReader) next() {
	for len(r.rest) > 0 {
		end := bytes.IndexByte(r.rest, '\n')
		line := r.rest[:end]
		r.rest = r.rest[end+1:]
		content := bytes.TrimLeft(line, " ")
		if len(content) == 0 || content[0] == '#' {
			continue
		}
		r.indent, r.line = len(line)-len(content), bytes.TrimRight(content, " ")
		return
	}
	r.line, r.indent = nil, -1
}

// mapping reads a mapping whose keys stand at a column.
func (r *quickReader) mapping(column, depth int) map[string]any {
	object := map[string]any{}
	for r.indent == column && !isItem(r.line) {
		key, value, ok := cutKey(r.line)
		if _, twice := object[string(key)]; !ok || twice || depth > quickDepth {
			r.lose()
			return nil
		}
		object[string(key)] = r.value(value, column, depth, true)
	}
	if r.indent > column {
		r.lose()
	}
	return object
}

// list reads a list whose dashes stand at a column.
func (r *quickReader) list(column, depth int) any {
	items := []any{}
	for r.indent == column && isItem(r.line) {
		item := bytes.TrimLeft(r.line[1:], " ")
		inner := column + len(r.line) - len(item)
		switch _, _, isMapping := cutKey(item); {
		case depth > quickDepth, len(item) == 0, isItem(item):
			return r.lose()
		case isMapping:
			r.line, r.indent = item, inner
			items = append(items, r.mapping(inner, depth+1))
		default:
			items = append(items, r.value(item, column, depth, false))
		}
	}
	if r.indent > column {
		return r.lose()
	}
	return items
}

// value reads what follows a key or a dash, on its line or on those below. The parent
// begins at a column.
func (r *quickReader) value(text []byte, column, depth int, ofKey bool) any {
	if len(text) == 0 || text[0] == '#' {
		r.next()
		switch inner := r.indent; {
		case isItem(r.line) && (inner > column || inner == column && ofKey):
			return r.list(inner, depth+1)
		case inner > column:
			return r.mapping(inner, depth+1)
		}
		return nil
	}
	if text[0] == '|' {
		return r.literal(text[1:], column)
	}
	value, ok := quickScalar(text)
	if !ok {
		return r.lose()
	}
	if r.next(); r.indent > column { // a scalar of several lines
		return r.lose()
	}
	return value
}

// literal reads a block scalar of the forms | and |- whose parent begins at a column.
func (r *quickReader) literal(header []byte, column int) any {
	if len(header) > 1 || len(header) == 1 && header[0] != '-' {
		return r.lose()
	}
	var text []byte
	margin := 0
	for len(r.rest) > 0 {
		line := r.rest[:bytes.IndexByte(r.rest, '\n')]
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		blank := indent == len(line)
		if !blank && margin == 0 {
			margin = indent
		}
		if !blank && (indent <= column || margin <= column) {
			break
		}
		if blank && indent > 0 || !blank && indent < margin {
			return r.lose()
		}
		text = append(append(text, line[min(margin, len(line)):]...), '\n')
		r.rest = r.rest[len(line)+1:]
	}
	r.next()
	if text = bytes.TrimRight(text, "\n"); len(text) > 0 && len(header) == 0 {
		text = append(text, '\n')
	}
	return string(text)
}

// quickScalar returns a scalar that ends on its line.
func quickScalar(text []byte) (any, bool) {
	switch c := text[0]; {
	case c == '"' || c == '\'':
		end := bytes.IndexByte(text[1:], c) + 1
		if end == 0 || !isRemark(text[end+1:]) || c == '"' && bytes.IndexByte(text[:end], '\\') >= 0 {
			return nil, false
		}
		return string(text[1:end]), true
	case c == '{' || c == '[':
		if len(text) < 2 || text[1] != c+2 || !isRemark(text[2:]) { // in ASCII the closing one is the next but one
			return nil, false
		}
		if c == '{' {
			return map[string]any{}, true
		}
		return []any{}, true
	case !isWord(c) && !(len(text) > 1 && c == '-' && isWord(text[1])):
		return nil, false
	}
	if at := bytes.Index(text, []byte(" #")); at >= 0 {
		text = bytes.TrimRight(text[:at], " ")
	}
	if bytes.Contains(text, []byte(": ")) || text[len(text)-1] == ':' {
		return nil, false
	}
	value, err := scalarValue(&yaml.Node{Kind: yaml.ScalarNode, Value: string(text)})
	return value, err == nil
}

// isRemark reports whether what follows a scalar is nothing or a comment.
func isRemark(text []byte) bool { return len(text) == 0 || bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte("#")) && text[0] == ' ' }

// isItem reports whether a line begins with the dash of a list.
func isItem(line []byte) bool {
	return len(line) > 0 && line[0] == '-' && (len(line) == 1 || line[1] == ' ')
}

// cutKey splits a line after a plain key, and reports whether it begins with one that is
// text in the cluster.
func cutKey(line []byte) (key, value []byte, ok bool) {
	n := 0
	for n < len(line) && (isWord(line[n]) || line[n] == '-') {
		n++
	}
	if n == 0 || n > quickKey || n == len(line) || line[n] != ':' || n+1 < len(line) && line[n+1] != ' ' {
		return nil, nil, false
	}
	if c := line[0]; c == '-' || c == '.' || '0' <= c && c <= '9' || isSwitch(line[:n]) {
		return nil, nil, false
	}
	return line[:n], bytes.TrimLeft(line[n+1:], " "), true
}

// isWord reports whether a character may stand anywhere in a plain scalar.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '/' || c == '$'
}

// isSwitch reports whether a word may be a boolean or null: all of them are short.
func isSwitch(word []byte) bool {
	return len(word) <= len("false") && !isText(&yaml.Node{Value: string(word)})
}
