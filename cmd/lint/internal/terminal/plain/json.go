package plain

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// WriteJSON writes JSON that people can read too. What [Line] would escape is
// escaped as JSON does, so that nothing is lost. Lists that an object has empty are filled, in the order
// in which the object has them: item by item, so that a long one takes no more memory than its longest item.
func WriteJSON(w io.Writer, v any, lists ...List) error {
	var frame bytes.Buffer
	if err := indented(&frame, "").Encode(v); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	rest := frame.Bytes()
	for _, l := range lists {
		empty := fmt.Appendf(nil, "\n  %q: []", l.name) // no string holds a line break
		head, tail, found := bytes.Cut(rest, empty)
		if !found || l.length == 0 {
			continue
		}
		escaper{out}.Write(head) // errors are told at the end
		out.Write(bytes.TrimSuffix(empty, []byte("]")))
		if err := l.write(out); err != nil {
			return err
		}
		out.WriteString("\n  ]")
		rest = tail
	}
	escaper{out}.Write(rest)
	return out.Flush()
}

// List is a list of an object.
type List struct {
	name   string
	length int
	item   func(i int) any
}

// ListOf returns the list that an object has under a name.
func ListOf[T any](name string, items []T) List {
	return List{name, len(items), func(i int) any { return &items[i] }}
}

func (l List) write(out *bufio.Writer) error {
	var text bytes.Buffer
	encoder := indented(&text, "    ")
	for i := range l.length {
		if i > 0 {
			out.WriteByte(',')
		}
		text.Reset()
		if err := encoder.Encode(l.item(i)); err != nil {
			return err
		}
		out.WriteString("\n    ")
		escaper{out}.Write(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	}
	return nil
}

func indented(w io.Writer, prefix string) *json.Encoder {
	encoder := json.NewEncoder(w)
	encoder.SetIndent(prefix, "  ")
	encoder.SetEscapeHTML(false)
	return encoder
}

// WriteJSONLine writes JSON in one line, escaped as [WriteJSON] does.
func WriteJSONLine(w io.Writer, v any) error {
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(escaper{out})
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err
	}
	return out.Flush()
}

// escaper escapes characters in the strings of a document. Outside of strings there are
// none of these.
type escaper struct{ *bufio.Writer }

// Write writes a document. It is all there at once, as encoding/json writes it.
func (e escaper) Write(document []byte) (int, error) {
	done := 0
	for i := 0; i < len(document); {
		if c := document[i]; c == '\n' || ' ' <= c && c <= '~' && c != '#' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(document[i:])
		if r == '#' && !logCommand(document[i:]) || r != '#' && unicode.IsPrint(r) {
			i += size
			continue
		}
		e.Writer.Write(document[done:i]) // an error is told at the end
		if r > 0xFFFF {
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(e.Writer, `\u%04x\u%04x`, high, low)
		} else {
			fmt.Fprintf(e.Writer, `\u%04x`, r)
		}
		i += size
		done = i
	}
	_, err := e.Writer.Write(document[done:])
	return len(document), err
}
