package quick

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// literal reads a block scalar of the forms | and |- whose parent begins at a column.
func (r *Reader) literal(header []byte, at, parent int) *yaml.Node {
	if len(header) > 1 || len(header) == 1 && header[0] != '-' {
		return r.lose()
	}
	n := r.node(yaml.ScalarNode, "!!str", at)
	n.Style = yaml.LiteralStyle
	var text []byte
	margin := 0
	for len(r.rest) > 0 {
		line := r.rest[:bytes.IndexByte(r.rest, '\n')]
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		blank := indent == len(line)
		if !blank && margin == 0 {
			margin = indent
		}
		if !blank && (indent <= parent || margin <= parent) {
			break
		}
		if blank && indent > 0 || !blank && indent < margin {
			return r.lose()
		}
		if !r.omit {
			text = append(append(text, line[min(margin, len(line)):]...), '\n')
		}
		r.rest = r.rest[len(line)+1:]
		r.number++
	}
	r.next()
	if text = bytes.TrimRight(text, "\n"); len(text) > 0 && len(header) == 0 {
		text = append(text, '\n')
	}
	n.Value = string(text)
	return n
}

// scalar reads a scalar or an empty collection that ends on its line.
func (r *Reader) scalar(text []byte, at int) (*yaml.Node, bool) {
	n := r.node(yaml.ScalarNode, "!!str", at)
	switch c := text[0]; {
	case c == '"' || c == '\'':
		end := bytes.IndexByte(text[1:], c) + 1
		n.Value, n.Style = r.kept(text[1:max(end, 1)]), yaml.DoubleQuotedStyle
		if c == '\'' {
			n.Style = yaml.SingleQuotedStyle
		}
		return n, end > 0 && isRemark(text[end+1:]) && (c == '\'' || bytes.IndexByte(text[:end], '\\') < 0)
	case bytes.HasPrefix(text, []byte("{}")):
		n.Kind, n.Tag, n.Style = yaml.MappingNode, "!!map", yaml.FlowStyle
		return n, isRemark(text[2:])
	case bytes.HasPrefix(text, []byte("[]")):
		n.Kind, n.Tag, n.Style = yaml.SequenceNode, "!!seq", yaml.FlowStyle
		return n, isRemark(text[2:])
	case !isWord(c) && !(len(text) > 1 && c == '-' && isWord(text[1])):
		return nil, false
	}
	if at := bytes.Index(text, []byte(" #")); at >= 0 {
		text = bytes.TrimRight(text[:at], " ")
	}
	if plain := string(text); !IsPlainText(plain) {
		if _, certain := PlainValue(plain); r.omit && !certain {
			return nil, false // it may be no value at all
		}
		n.Tag = ""
		n.Value = plain
		n.Tag = n.ShortTag()
	}
	n.Value = r.kept(text)
	return n, !bytes.Contains(text, []byte(": ")) && text[len(text)-1] != ':'
}

// isRemark reports whether what follows a scalar is nothing or a comment.
func isRemark(text []byte) bool {
	return len(text) == 0 || text[0] == ' ' && bytes.TrimLeft(text, " ")[0] == '#'
}

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
	if n == 0 || n > maxKey || n == len(line) || line[n] != ':' || n+1 < len(line) && line[n+1] != ' ' {
		return nil, nil, false
	}
	if len(line[:n]) <= len("false") && !IsPlainText(string(line[:n])) || !isWord(line[0]) || line[0] <= '9' {
		return nil, nil, false
	}
	return line[:n], bytes.TrimLeft(line[n+1:], " "), true
}

// isWord reports whether a character may stand anywhere in a plain scalar.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '/' || c == '$'
}

// PlainValue returns the value of a plain scalar of a common form, and reports whether it
// is one: null, a boolean, a decimal integer, a duration or a version.
func PlainValue(text string) (value any, certain bool) {
	switch text {
	case "", "~", "null":
		return nil, true
	case "true":
		return true, true
	case "false":
		return false, true
	case "0":
		return int64(0), true
	}
	digits := strings.TrimLeft(text, "0123456789")
	switch {
	case text[0] == '0' || len(digits) == len(text) || len(text) > 18:
		return nil, false
	case digits == "":
		i, err := strconv.ParseInt(text, 10, 64)
		return i, err == nil
	case !strings.ContainsFunc(digits, isNeither) && strings.ContainsFunc(digits, isUnit): // 5m, 10Gi, 2.x
		return text, true
	case strings.Trim(digits, "0123456789.") == "" && strings.Count(digits, ".") > 1: // 1.2.3
		return text, true
	case strings.Trim(digits, "0123456789") == "." && len(text) <= 15: // 0.5
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil && f != math.Trunc(f)
	}
	return nil, false
}

// isNeither reports whether a character is no letter of ASCII, no digit and no dot.
func isNeither(c rune) bool {
	return c != '.' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

// isUnit reports whether a letter is in no decimal number.
func isUnit(c rune) bool { return c >= 'A' && c != 'e' && c != 'E' }

// IsPlainText reports whether a plain scalar on one line is certainly a string: neither a number nor
// a word for a boolean or null.
func IsPlainText(text string) bool {
	if text == "" || strings.Contains("+-.0123456789~<=", text[:1]) {
		return false
	}
	if len(text) > len("false") {
		return true
	}
	switch strings.ToLower(text) {
	case "y", "yes", "n", "no", "true", "false", "on", "off", "null":
		return false
	}
	return true
}
