package yamledit

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

var errNotField = errors.New("only a field of a document can be set")

// replace writes a value over the one in a slot.
func (e *editor) replace(s slot, value any) error {
	old := s.value
	switch {
	case s.parent == nil:
		return errNotField
	case old.Kind == yaml.AliasNode:
		return e.refuse(old, fmt.Sprintf("the value is the anchor %q, which other fields may use too", old.Value))
	case isFlow(s.parent):
		e.replaceInline(s, flowLike(old, value, isJSON(s.parent)))
	case isFilled(value) && isFlow(old) && len(old.Content) > 0:
		e.replaceInline(s, flow(value, isJSON(old)))
	case !isFilled(value):
		e.replaceInline(s, e.style.scalarLike(old, value, e.column(s.parent), e.literalColumn(s)))
	case s.key == nil:
		e.replaceItem(s, value)
	default:
		e.replaceBlock(s, value)
	}
	return nil
}

// literalColumn returns the indentation of the lines of a block scalar in a
// slot.
func (e *editor) literalColumn(s slot) int {
	if isBlockScalar(s.value) {
		if n := e.blockIndent(s.value); n > 0 {
			return n
		}
	}
	return e.column(s.parent) + e.style.step
}

// replaceInline writes text that begins on the line of its key.
func (e *editor) replaceInline(s slot, text string) {
	old := s.value
	at, end := e.offset(old), e.end(old)
	switch {
	case isEmpty(old):
		e.cut(end, end, " "+text)
	case s.key != nil && isBlock(old):
		colon := e.afterColon(s.key)
		e.cut(colon, colon, " "+text)
		e.cut(e.endOfLineBefore(at), end, "")
	default:
		e.cut(at, end, e.closeLiteral(end, text))
	}
}

// closeLiteral ends a literal at the end of the file with a line break, unless
// its header strips it.
func (e *editor) closeLiteral(end int, text string) string {
	if end == len(e.text) && strings.HasPrefix(text, "|") && !strings.HasPrefix(text, "|-") {
		return text + e.style.newline
	}
	return text
}

// replaceItem writes a mapping or a list after the dash of an item.
func (e *editor) replaceItem(s slot, value any) {
	at, end := e.offset(s.value), e.end(s.value)
	column, gap := e.columnAt(at), ""
	if isEmpty(s.value) {
		column, gap = e.column(s.parent)+2, " "
	}
	lines := e.style.block(value, column)
	lines[0] = gap + lines[0][column:]
	e.cut(at, end, e.style.join(lines)[len(e.style.newline):])
}

// replaceBlock writes a mapping or a list on the lines after its key.
func (e *editor) replaceBlock(s slot, value any) {
	at, end := e.offset(s.value), e.end(s.value)
	text := e.style.join(e.style.block(value, e.column(s.parent)+e.style.stepOf(value)))
	if isBlock(s.value) {
		e.cut(e.endOfLineBefore(at), end, text)
		return
	}
	e.cut(e.afterColon(s.key), end, "")
	line := e.endOfLine(end)
	e.cut(line, line, text)
}
