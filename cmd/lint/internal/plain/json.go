package plain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
)

// WriteJSON writes JSON that people can read too. What [Line] would escape is
// escaped as JSON does, so that nothing is lost.
func WriteJSON(w io.Writer, v any) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, escapeJSON(out.String()))
	return err
}

// escapeJSON escapes characters in the strings of a document. Outside of strings
// there are none of these.
func escapeJSON(document string) string {
	var b strings.Builder
	b.Grow(len(document))
	for i, r := range document {
		switch {
		case r == '\n' || r != '#' && unicode.IsPrint(r) || r == '#' && !logCommand(document[i:]):
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
