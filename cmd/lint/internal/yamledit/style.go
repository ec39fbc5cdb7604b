package yamledit

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// style is the layout of a document, for what is written into it.
type style struct {
	newline  string
	step     int // indentation of a mapping in a mapping
	listStep int // indentation of a list in a mapping
}

// join puts a line break before each line.
func (s style) join(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(s.newline + line)
	}
	return b.String()
}

// block writes a collection that is not empty, as lines.
func (s style) block(value any, column int) []string {
	if list, ok := value.([]any); ok {
		return s.list(list, column)
	}
	return s.mapping(value.(map[string]any), column)
}

func (s style) mapping(object map[string]any, column int) []string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(object)) {
		head, value := strings.Repeat(" ", column)+word(key, false)+":", object[key]
		if !isFilled(value) {
			text := s.scalar(value, column, column+s.step)
			lines = append(lines, strings.Split(head+" "+text, s.newline)...)
			continue
		}
		lines = append(lines, head)
		lines = append(lines, s.block(value, column+s.stepOf(value))...)
	}
	return lines
}

// stepOf returns the indentation of a collection in a mapping.
func (s style) stepOf(value any) int {
	if _, ok := value.([]any); ok {
		return s.listStep
	}
	return s.step
}

func (s style) list(list []any, column int) []string {
	var lines []string
	for _, value := range list {
		dash := strings.Repeat(" ", column) + "- "
		if !isFilled(value) {
			lines = append(lines, strings.Split(dash+s.scalar(value, column, column+2), s.newline)...)
			continue
		}
		item := s.block(value, column+2)
		item[0] = dash + item[0][column+2:]
		lines = append(lines, item...)
	}
	return lines
}

// scalar writes a scalar or an empty collection in block style. The parent is
// the column of the collection that holds it. The lines of a block scalar begin
// at the other column.
func (s style) scalar(value any, parent, column int) string {
	if text, ok := value.(string); ok && strings.Contains(text, "\n") {
		if literal, ok := s.literal(text, parent, column); ok {
			return literal
		}
	}
	return flow(value, false)
}

func (s style) scalarLike(old *yaml.Node, value any, parent, column int) string {
	text, _ := value.(string)
	if old.Style&yaml.LiteralStyle != 0 {
		if literal, ok := s.literal(text, parent, column); ok {
			return literal
		}
	}
	if strings.Contains(text, "\n") {
		return s.scalar(value, parent, column)
	}
	return flowLike(old, value, false)
}

var blockText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\t\n -~\x{a1}-\x{2027}\x{3000}-\x{d7ff}]*$`) })

// literal writes a text as a literal block scalar and reports whether that is
// possible.
func (s style) literal(text string, parent, column int) (string, bool) {
	body := strings.TrimRight(text, "\n")
	if body == "" || !blockText().MatchString(text) {
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
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return header + s.join(indentLines(lines, column)), true
}

// indentLines puts spaces before each line that is not empty.
func indentLines(lines []string, column int) []string {
	indented := make([]string, len(lines))
	for i, line := range lines {
		if line != "" {
			indented[i] = strings.Repeat(" ", column) + line
		}
	}
	return indented
}

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
	if parent.Kind == yaml.SequenceNode {
		before = t.withoutComments(before)
	}
	if isEmpty(first) && parent.Kind == yaml.SequenceNode {
		before = t.text[:at]
	}
	if n := len(before); n > 0 && before[n-1] == mark {
		return n - 1
	}
	return at
}

// withoutComments cuts the comments off that a text ends with, which stand between the mark of an item and
// the item itself.
func (t *tree) withoutComments(text []byte) []byte {
	for len(text) > 0 {
		line := text[t.startOfLine(len(text)-1):]
		mark := commentMark(line)
		if mark < 0 {
			break
		}
		text = bytes.TrimRight(text[:len(text)-len(line)+mark], " \t\r\n")
	}
	return text
}

// commentMark returns where a comment begins in a line; -1 if there is none.
func commentMark(line []byte) int {
	for i := range line {
		if line[i] == '#' && (i == 0 || isSpace(line[i-1])) {
			return i
		}
	}
	return -1
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
