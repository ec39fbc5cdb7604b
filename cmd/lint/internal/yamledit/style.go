package yamledit

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/yaml"
)

// style is how a document is laid out, for what is written into it.
type style struct {
	newline  string
	step     int // columns that a mapping in a mapping is indented
	listStep int // and a list in a mapping
}

// style learns from the first nested collections of a document, and the line end
// from its file.
func (t *tree) style(file []byte) style {
	s := style{newline: "\n", step: 2, listStep: -1}
	if i := strings.IndexAny(string(file), "\r\n"); i >= 0 {
		s.newline = string(file[i : i+editorBreak(file[i:])])
	}
	e := &editor{tree: t}
	seen := false
	for _, pair := range pairs(t.root) {
		step := e.column(pair[1]) - e.column(pair[0])
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

// pairs gives each block mapping with the block collections that are values in
// it, in order.
func pairs(n *yaml.Node) [][2]*yaml.Node {
	var found [][2]*yaml.Node
	if n == nil || n.Kind == yaml.AliasNode || isFlow(n) {
		return nil
	}
	for i, item := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && isBlock(item) {
			found = append(found, [2]*yaml.Node{n, item})
		}
		found = append(found, pairs(item)...)
	}
	return found
}

// join puts each line behind a line break.
func (s style) join(text string, lines []string) string {
	for _, line := range lines {
		text += s.newline + line
	}
	return text
}

// lines writes a filled collection in block style.
func (s style) lines(value any, column int) []string {
	if list, ok := value.([]any); ok {
		return s.list(list, column)
	}
	return s.mapping(value.(map[string]any), column)
}

func (s style) mapping(object map[string]any, column int) []string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(object)) {
		head, value := strings.Repeat(" ", column)+s.key(key, false)+":", object[key]
		if !isFilled(value) {
			text := s.scalar(value, column, column+s.step)
			lines = append(lines, strings.Split(head+" "+text, s.newline)...)
			continue
		}
		step := s.step
		if _, ok := value.([]any); ok {
			step = s.listStep
		}
		lines = append(lines, head)
		lines = append(lines, s.lines(value, column+step)...)
	}
	return lines
}

func (s style) list(list []any, column int) []string {
	var lines []string
	for _, value := range list {
		dash := strings.Repeat(" ", column) + "- "
		if !isFilled(value) {
			lines = append(lines, strings.Split(dash+s.scalar(value, column, column+2), s.newline)...)
			continue
		}
		item := s.lines(value, column+2)
		item[0] = dash + item[0][column+2:]
		lines = append(lines, item...)
	}
	return lines
}

// scalar writes a scalar or an empty collection in block context.
func (s style) scalar(value any, parent, column int) string {
	if text, ok := value.(string); ok && strings.Contains(text, "\n") {
		if literal, ok := s.literal(text, parent, column); ok {
			return literal
		}
	}
	return s.flow(value, false)
}

// scalarLike writes a scalar in the style of the one that it replaces.
func (s style) scalarLike(old *yaml.Node, value any, parent, column int) string {
	text, ok := value.(string)
	if old.Style&yaml.LiteralStyle != 0 {
		if literal, ok := s.literal(text, parent, column); ok {
			return literal
		}
	}
	if !ok || strings.Contains(text, "\n") {
		return s.scalar(value, parent, column)
	}
	return s.flowLike(old, value, false)
}

func (s style) flowLike(old *yaml.Node, value any, json bool) string {
	text, ok := value.(string)
	switch {
	case ok && old.Style&yaml.SingleQuotedStyle != 0 && printable.MatchString(text):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	case ok && old.Style&yaml.DoubleQuotedStyle != 0:
		return quoted(text)
	}
	return s.flow(value, json || old.Kind != yaml.ScalarNode && isJSON(old))
}

// flow writes a value on one line.
func (s style) flow(value any, json bool) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return s.key(v, json)
	case map[string]any:
		var fields []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			fields = append(fields, s.key(key, json)+": "+s.flow(v[key], json))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, s.flow(item, json))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return fmt.Sprint(value)
}

// key writes a string on one line: plain if that is safe.
func (s style) key(text string, json bool) string {
	if !json && isPlain(text) {
		return text
	}
	return quoted(text)
}

// literal writes a text of several lines as a block scalar; false if it cannot
// stand in one.
func (s style) literal(text string, parent, column int) (string, bool) {
	body := strings.TrimRight(text, "\n")
	if body == "" || !blockText.MatchString(text) {
		return "", false
	}
	header := "|"
	if body[0] == ' ' || body[0] == '\n' {
		if column-parent > 9 {
			return "", false
		}
		header += fmt.Sprint(column - parent)
	}
	switch len(text) - len(body) {
	case 0:
		header += "-"
	case 1:
	default:
		header += "+"
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if line != "" {
			line = strings.Repeat(" ", column) + line
		}
		header += s.newline + line
	}
	return header, true
}

var (
	plainWord = regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./@+-]*( [A-Za-z0-9_./@+-]+)*$`)
	printable = regexp.MustCompile(`^[ -~\x{a1}-\x{2027}\x{3000}-\x{d7ff}]*$`)
	blockText = regexp.MustCompile(`^[\t\n -~\x{a1}-\x{2027}\x{3000}-\x{d7ff}]*$`)
)

// isPlain tells whether a string needs no quotes with either YAML parser.
func isPlain(text string) bool {
	if !plainWord.MatchString(text) {
		return false
	}
	var v2, v3 any
	return kyaml.Unmarshal([]byte(text), &v2) == nil && v2 == text &&
		yaml.Unmarshal([]byte(text), &v3) == nil && v3 == text
}
