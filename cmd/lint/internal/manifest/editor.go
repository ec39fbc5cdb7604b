package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// editor collects the cuts that change the text of one document.
type editor struct {
	*tree
	line  int // of the file that the text begins on, less one
	cuts  []cut
	style style
}

// cut replaces the bytes from an offset to another.
type cut struct {
	from, to int
	text     string
}

// slot is a place for a value: of a key, of a list item (no key), or the root
// (no parent).
type slot struct{ parent, key, value *yaml.Node }

func newEditor(d *Document) *editor {
	t := d.tree()
	return &editor{tree: t, line: lineOf(d.File.lines, d.start), style: t.style(d.File.Data)}
}

func (e *editor) cut(from, to int, text string) { e.cuts = append(e.cuts, cut{from, to, text}) }

func (e *editor) apply() ([]byte, error) {
	slices.SortStableFunc(e.cuts, func(a, b cut) int { return a.from - b.from })
	var out bytes.Buffer
	at := 0
	for _, c := range e.cuts {
		if c.from < at || c.to < c.from || c.to > len(e.text) {
			return nil, errors.New("the layout is not understood well enough to edit it")
		}
		out.Write(e.text[at:c.from])
		out.WriteString(c.text)
		at = c.to
	}
	out.Write(e.text[at:])
	return out.Bytes(), nil
}

// refuse says that a node cannot be edited.
func (e *editor) refuse(n *yaml.Node, why string) error {
	return fmt.Errorf("line %d: %s", e.line+n.Line, why)
}

// own finds the slot of a step and refuses one that is written elsewhere; it is
// false if it is not written.
func (e *editor) own(n *yaml.Node, step any) (slot, bool, error) {
	if n.Kind == yaml.AliasNode {
		return slot{}, false, e.refuse(n, fmt.Sprintf("the field comes from the anchor %q, which other fields may use too", n.Value))
	}
	c, ok := child(n, step)
	if !ok {
		return slot{}, false, nil
	}
	if c.merged {
		return slot{}, false, e.refuse(c.key, "the field comes from a merge key, which other mappings may use too")
	}
	s := slot{parent: n, key: c.key, value: c.value}
	if n.Kind == yaml.SequenceNode {
		s.key = nil
	}
	return s, true, nil
}

func (e *editor) set(path []any, value any) error {
	s := slot{value: e.root}
	if e.root == nil || len(path) == 0 {
		return errors.New("only a field of a document can be set")
	}
	for i, step := range path {
		next, ok, err := e.own(s.value, step)
		if err != nil {
			return err
		}
		if !ok {
			return e.insert(s, step, nest(path[i+1:], value))
		}
		s = next
	}
	return e.replace(s, value)
}

// nest wraps a value in the parents of a path.
func nest(path []any, value any) any {
	for _, step := range slices.Backward(path) {
		if key, ok := step.(string); ok {
			value = map[string]any{key: value}
		} else {
			value = []any{value}
		}
	}
	return value
}

// insert adds a key or an item to the collection in a slot.
func (e *editor) insert(s slot, step, value any) error {
	n := s.value
	switch {
	case isFlow(n) && (len(n.Content) > 0 || s.parent == nil || isFlow(s.parent)):
		return e.insertFlow(n, step, value)
	case n.Kind == yaml.MappingNode && len(n.Content) > 0:
		e.appendLines(n, e.style.mapping(map[string]any{step.(string): value}, e.column(n)))
	case n.Kind == yaml.SequenceNode && len(n.Content) > 0:
		e.appendLines(n, e.style.list([]any{value}, e.column(n)))
	default: // null, {} or []
		return e.replace(s, nest([]any{step}, value))
	}
	return nil
}

func (e *editor) appendLines(n *yaml.Node, lines []string) {
	at := e.endOfLine(e.end(n))
	e.cut(at, at, e.style.join("", lines))
}

// insertFlow adds to a collection in braces or brackets.
func (e *editor) insertFlow(n *yaml.Node, step, value any) error {
	closing := e.end(n) - 1
	text := e.style.flow(value, isJSON(n))
	if key, ok := step.(string); ok {
		text = e.style.key(key, isJSON(n)) + ": " + text
	}
	if len(n.Content) == 0 {
		at := e.offset(n) + 1
		e.cut(at, closing, text)
		return nil
	}
	last := e.end(n.Content[len(n.Content)-1])
	gap := " "
	if first := e.start(n.Content[0]); lineOf(e.lines, first) != lineOf(e.lines, e.offset(n)) {
		gap = e.style.newline + string(e.margin(first))
	}
	if comma := e.skipSpace(last); e.text[comma] == ',' {
		e.cut(comma+1, comma+1, gap+text+",")
	} else {
		e.cut(last, last, ","+gap+text)
	}
	return nil
}

// margin gives the space that a line begins with.
func (e *editor) margin(at int) []byte {
	line := e.text[e.lines[lineOf(e.lines, at)]:]
	return line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
}

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

func (e *editor) delete(path []any) error {
	s := slot{value: e.root}
	parent := s
	for _, step := range path {
		next, ok, err := e.own(s.value, step)
		if err != nil {
			return err
		}
		if !ok { // change has seen that there is something
			return errors.New("the field is not written")
		}
		parent, s = s, next
	}
	if isOnly(s) {
		return e.replaceEmpty(parent)
	}
	return e.deleteEntry(s)
}

// isOnly tells whether a slot is the only one of its parent.
func isOnly(s slot) bool {
	return len(s.parent.Content) == 1 || s.key != nil && len(s.parent.Content) == 2
}

// replaceEmpty leaves a collection without fields.
func (e *editor) replaceEmpty(s slot) error {
	var empty any = map[string]any{}
	if s.value.Kind == yaml.SequenceNode {
		empty = []any{}
	}
	return e.replace(s, empty)
}

func (e *editor) deleteEntry(s slot) error {
	entries, at := s.parent.Content, slices.Index(s.parent.Content, s.value)
	first := s.value
	if s.key != nil {
		first = s.key
	}
	next := at + 1
	from, to := e.entryStart(s.parent, first), e.end(s.value)
	line := e.lines[lineOf(e.lines, from)]
	switch alone := len(bytes.TrimSpace(e.text[line:from])) == 0; {
	case isFlow(s.parent) && next == len(entries):
		before := slices.Index(entries, first) - 1
		e.cut(e.end(entries[before]), to, "")
	case isFlow(s.parent) || !alone:
		if next == len(entries) {
			return e.refuse(first, "the layout is not understood well enough to edit it")
		}
		e.cut(from, e.entryStart(s.parent, entries[next]), "")
	default:
		e.cutLines(line, e.endOfLine(to))
	}
	return nil
}

// cutLines removes lines with their break, the last of a file with that before.
func (e *editor) cutLines(from, to int) {
	if to < len(e.text) {
		e.cut(from, to+yamlBreak(e.text[to:]), "")
		return
	}
	e.cut(e.lineBefore(from), to, "")
}

// entryStart gives the offset of an entry, at the mark of an item or an
// explicit key.
func (e *editor) entryStart(parent, first *yaml.Node) int {
	at := e.start(first)
	if isFlow(parent) {
		return at
	}
	mark := byte('?')
	if parent.Kind == yaml.SequenceNode {
		mark = '-'
	}
	before := bytes.TrimRight(e.text[:at], " \t\r\n")
	if isEmpty(first) && parent.Kind == yaml.SequenceNode {
		before = e.text[:at]
	}
	if n := len(before); n > 0 && before[n-1] == mark {
		return n - 1
	}
	return at
}

// column gives the spaces before the entries of a block collection.
func (e *editor) column(collection *yaml.Node) int {
	if len(collection.Content) == 0 {
		return 0
	}
	return e.columnAt(e.entryStart(collection, collection.Content[0]))
}

func (e *editor) columnAt(at int) int {
	return utf8.RuneCount(e.text[e.lines[lineOf(e.lines, at)]:at])
}

// lineBefore gives the end of the line before that of an offset.
func (e *editor) lineBefore(at int) int {
	if line := lineOf(e.lines, at); line > 0 {
		return e.endOfLine(e.lines[line-1])
	}
	return 0
}

// colon gives the offset after the colon of a slot's key.
func (e *editor) colon(s slot) int {
	at := e.skipSpace(e.end(s.key))
	if at < len(e.text) && e.text[at] == ':' {
		return at + 1
	}
	return len(e.text) + 1 // refused by apply
}

// blockMargin gives the spaces before the lines of a block scalar in a slot.
func (e *editor) blockMargin(s slot) int {
	if s.value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		if n := e.blockIndent(s.value); n > 0 {
			return n
		}
	}
	return e.column(s.parent) + e.style.step
}

func isFlow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

// isBlock tells whether a node is a collection in lines of its own.
func isBlock(n *yaml.Node) bool {
	return n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode && !isFlow(n)
}

// isFilled tells whether a value is a collection with something in it.
func isFilled(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}

// isJSON tells whether the keys and strings of a flow collection are quoted.
func isJSON(n *yaml.Node) bool {
	for _, item := range n.Content {
		if item.Kind == yaml.ScalarNode && item.Style&yaml.DoubleQuotedStyle != 0 {
			return true
		}
	}
	return false
}
