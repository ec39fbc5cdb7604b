package yamledit

import (
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

// scalarLike is scalar in the style of the node that it replaces.
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
