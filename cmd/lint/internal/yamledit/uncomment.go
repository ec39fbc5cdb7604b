package yamledit

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// UncommentAt removes the comments beside a field: at the end of its line, and directly above
// it in its column. A field that is the only one of its mapping shares the comments of that
// one, but for the mappings at the first steps of the innermost path.
func UncommentAt(data []byte, at Address, steps int) ([]byte, error) {
	return edit(data, at, func(d *Document, path []any) ([]byte, error) {
		have, err := d.Decode()
		if err != nil {
			return nil, err
		}
		return d.edited(have, func(e *editor) error { return e.uncomment(path, steps) })
	})
}

func (e *editor) uncomment(path []any, steps int) error {
	slots, err := e.slots(path)
	if err != nil || len(slots) <= len(path) {
		return err
	}
	done := map[int]bool{} // lines
	for n := len(path); n > 0; n-- {
		s := slots[n]
		first := s.first()
		from, behind := e.entryStart(s.parent, first), e.end(s.value)
		if n < len(path) && s.key != nil {
			behind = e.afterColon(s.key)
		}
		if line := e.lineOf(from); !done[line] {
			done[line] = true
			e.cutAbove(line)
			e.cutBehind(behind)
		}
		if n-1 <= steps || s.parent.Kind != yaml.MappingNode || len(s.parent.Content) > 2 {
			break
		}
	}
	return nil
}

// cutAbove removes the comments directly above a line, in the column where it begins.
func (e *editor) cutAbove(line int) {
	content := e.content(line)
	column := len(content) - len(bytes.TrimLeft(content, " "))
	first := line
	for first > 0 && e.isComment(first-1, column) {
		first--
	}
	if first < line {
		e.cut(e.starts[first], e.starts[line], "")
	}
}

// cutBehind removes the comment at the end of the line, behind an offset.
func (e *editor) cutBehind(at int) {
	end := e.endOfLine(at)
	rest := e.text[at:end]
	var quote byte
	for i, c := range rest {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '#' && i > 0 && (rest[i-1] == ' ' || rest[i-1] == '\t'):
			e.cut(at+len(bytes.TrimRight(rest[:i], " \t")), end, "")
			return
		}
	}
}
