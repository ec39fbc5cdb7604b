package yamledit

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

var errQuoted = errors.New("the text is quoted or folded, and the edit does not fit into it: a block (|) can be edited")

// replaceText replaces what differs in a scalar that is quoted, plain or folded. The rest
// of it stays as it is written.
func (e *editor) replaceText(path []any, text string) error {
	s, err := e.textSlot(path)
	if err != nil {
		return err
	}
	n := s.value
	at, ok := e.characters(n)
	if !ok {
		return e.refuse(n, errQuoted.Error())
	}
	from, to := differing(n.Value, text)
	part, ok := e.encoded(n, text, from, len(text)-(len(n.Value)-to))
	if !ok {
		return e.refuse(n, errQuoted.Error())
	}
	e.cut(at[from], at[to], part)
	return nil
}

// differing returns the part of a text that is not the same in another, between the same
// beginning and the same end. A line break at the end belongs to the end.
func differing(have, want string) (from, to int) {
	n, end := min(len(have), len(want)), 0
	for end < n && have[len(have)-1-end] == want[len(want)-1-end] {
		end++
	}
	for end > 0 && !utf8.RuneStart(have[len(have)-end]) {
		end--
	}
	for from < n-end && have[from] == want[from] {
		from++
	}
	for from > 0 && from < len(have) && !utf8.RuneStart(have[from]) {
		from--
	}
	return from, len(have) - end
}

// encoded writes a part of a text in the style of a scalar.
func (e *editor) encoded(n *yaml.Node, text string, from, to int) (string, bool) {
	part := text[from:to]
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		text := quoted(part)
		return text[1 : len(text)-1], true
	case n.Style&yaml.FoldedStyle != 0:
		return e.folded(n, text, from, to), true
	case n.Style&yaml.SingleQuotedStyle != 0:
		part = strings.ReplaceAll(part, "'", "''")
	}
	return part, !strings.Contains(part, "\n")
}

// folded writes a part of a text for a folded block: beside a line that begins with a
// space a line break stands for itself, else it takes an empty line.
func (e *editor) folded(n *yaml.Node, text string, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if text[i] != '\n' {
			b.WriteByte(text[i])
			continue
		}
		b.WriteString(e.style.newline)
		line := text[strings.LastIndexByte(text[:i], '\n')+1:]
		if !strings.HasPrefix(line, " ") && !strings.HasPrefix(text[i+1:], " ") && text[i+1:] != "" {
			b.WriteString(e.style.newline)
		}
		b.WriteString(strings.Repeat(" ", e.blockIndent(n)))
	}
	return b.String()
}

// characters returns where each byte of a scalar's value is written, and where the last
// one ends. It reports false if the text is not understood.
func (t *tree) characters(n *yaml.Node) ([]int, bool) {
	var value []byte
	var at []int
	switch from, to := t.offset(n), t.end(n); {
	case n.Style&yaml.FoldedStyle != 0:
		return t.foldedCharacters(n)
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		value, at = t.flowCharacters(from+1, to-1, t.text[from])
	default:
		value, at = t.flowCharacters(from, to, 0)
	}
	return at, string(value) == n.Value
}

// flowCharacters reads the text of a scalar in quotes, or without if quote is 0.
func (t *tree) flowCharacters(from, to int, quote byte) (value []byte, at []int) {
	emit := func(where int, text string) {
		for range len(text) {
			at = append(at, where)
		}
		value = append(value, text...)
	}
	for i := from; i < to; {
		if n, breaks := t.fold(i, to); breaks > 0 {
			text := " "
			if breaks > 1 {
				text = strings.Repeat("\n", breaks-1)
			}
			emit(i, text)
			i += n
			continue
		}
		text, n := string(t.text[i]), 1
		switch {
		case quote == '\'' && t.text[i] == '\'':
			n = 2
		case quote == '"' && t.text[i] == '\\':
			text, n = unescape(t.text[i:to])
		}
		emit(i, text)
		i += n
	}
	return value, append(at, to)
}

// fold returns the length of space with line breaks, and the number of these.
func (t *tree) fold(from, to int) (n, breaks int) {
	at := from
	for at < to {
		if size := yamlBreak(t.text[at:to]); size > 0 {
			breaks, at = breaks+1, at+size
		} else if t.text[at] == ' ' || t.text[at] == '\t' {
			at++
		} else {
			break
		}
	}
	return at - from, breaks
}

// unescape returns what an escape in double quotes stands for, and its length. A line
// break that is escaped stands for nothing.
func unescape(text []byte) (string, int) {
	if len(text) < 2 {
		return "", 1
	}
	if n := yamlBreak(text[1:]); n > 0 {
		rest := bytes.TrimLeft(text[1+n:], " \t")
		return "", len(text) - len(rest)
	}
	var value string
	size := map[byte]int{'x': 4, 'u': 6, 'U': 10}[text[1]]
	size = min(max(size, 2), len(text))
	if yaml.Unmarshal(fmt.Appendf(nil, `"%s"`, text[:size]), &value) != nil {
		return "", size
	}
	return value, size
}

func (t *tree) foldedCharacters(n *yaml.Node) ([]int, bool) {
	var at []int
	indent, end := t.blockIndent(n), t.end(n)
	for line := t.lineOf(t.offset(n)) + 1; line < len(t.starts) && t.starts[line] <= end; line++ {
		content := t.content(line)
		if len(content) <= indent {
			continue
		}
		for len(at) < len(n.Value) && len(at) > 0 && (n.Value[len(at)] == '\n' || n.Value[len(at)] == ' ' && content[indent] != ' ') {
			folded := n.Value[len(at)] == ' '
			at = append(at, at[len(at)-1]+1)
			if folded {
				break
			}
		}
		content = content[indent:]
		if !strings.HasPrefix(n.Value[len(at):], string(content)) {
			return nil, false
		}
		for i := range content {
			at = append(at, t.starts[line]+indent+i)
		}
	}
	for len(at) <= len(n.Value) && len(at) > 0 {
		at = append(at, end)
	}
	return at, len(at) == len(n.Value)+1
}
