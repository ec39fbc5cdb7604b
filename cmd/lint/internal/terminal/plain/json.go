package plain

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// WriteJSON writes JSON that people can read too. What [Line] would escape is
// escaped as JSON does, so that nothing is lost.
func WriteJSON(w io.Writer, v any) error {
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(escaper{out})
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err
	}
	return out.Flush()
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

// WriteJSONList writes an object as [WriteJSON] does, with a list that it has empty filled by items: one
// after the other, so that a long list takes no more memory than its longest item.
func WriteJSONList[T any](w io.Writer, object any, name string, items []T) error {
	var frame bytes.Buffer
	if err := WriteJSON(&frame, object); err != nil {
		return err
	}
	head, tail, found := strings.Cut(frame.String(), "\n  \""+name+"\": []") // no string holds a line break
	if !found || len(items) == 0 {
		_, err := w.Write(frame.Bytes())
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n  %q: [", head, name)
	for i, item := range items {
		if i > 0 {
			out.WriteByte(',')
		}
		frame.Reset()
		encoder := json.NewEncoder(&frame)
		encoder.SetIndent("    ", "  ")
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(item); err != nil {
			return err
		}
		out.WriteString("\n    ")
		escaper{out}.Write(bytes.TrimSuffix(frame.Bytes(), []byte("\n"))) // an error is told at the end
	}
	fmt.Fprintf(out, "\n  ]%s", tail)
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
