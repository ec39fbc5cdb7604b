package yamledit

import (
	"bytes"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// replace writes a value over the one in a slot.
func (e *editor) replace(s slot, value any) error {
	old := s.value
	switch {
	case s.parent == nil:
		return errors.New("only a field of a document can be set")
	case old.Kind == yaml.AliasNode:
		return e.refuse(old, fmt.Sprintf("the value is the anchor %q, which other fields may use too", old.Value))
	case isFlow(s.parent):
		e.put(s, e.style.flowLike(old, value, isJSON(s.parent)))
	case isFilled(value) && isFlow(old) && len(old.Content) > 0:
		e.put(s, e.style.flow(value, isJSON(old)))
	case isFilled(value):
		e.putBlock(s, value)
	default:
		e.put(s, e.style.scalarLike(old, value, e.column(s.parent), e.blockMargin(s)))
	}
	return nil
}

// put writes text that begins on the line of its key.
func (e *editor) put(s slot, text string) {
	old := s.value
	at, end := e.offset(old), e.end(old)
	switch {
	case isEmpty(old):
		e.cut(end, end, " "+text)
	case s.key != nil && isBlock(old):
		colon := e.colon(s)
		e.cut(colon, colon, " "+text)
		e.cut(e.lineBefore(at), end, "")
	default:
		e.cut(at, end, e.closeLiteral(end, text))
	}
}

// closeLiteral ends a literal at the end of the file with a line break.
func (e *editor) closeLiteral(end int, text string) string {
	if end == len(e.text) && len(text) > 0 && text[0] == '|' && !bytes.HasPrefix([]byte(text), []byte("|-")) {
		return text + e.style.newline
	}
	return text
}

// putBlock writes a mapping or a list in lines of its own.
func (e *editor) putBlock(s slot, value any) {
	old := s.value
	at, end := e.offset(old), e.end(old)
	if s.key == nil { // behind the dash of an item
		column, gap := e.columnAt(at), ""
		if isEmpty(old) {
			column, gap = e.column(s.parent)+2, " "
		}
		lines := e.style.lines(value, column)
		lines[0] = gap + lines[0][column:]
		e.cut(at, end, e.style.join("", lines)[len(e.style.newline):])
		return
	}
	column := e.column(s.parent) + e.style.step
	if _, list := value.([]any); list {
		column = e.column(s.parent) + e.style.listStep
	}
	if isBlock(old) {
		e.cut(e.lineBefore(at), end, e.style.join("", e.style.lines(value, column)))
		return
	}
	e.cut(e.colon(s), end, "")
	line := e.endOfLine(end)
	e.cut(line, line, e.style.join("", e.style.lines(value, column)))
}
