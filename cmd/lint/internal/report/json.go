package report

import (
	"encoding/json"
	"io"
)

// writeJSON writes a document as docs/report.schema.json and docs/diff.schema.json
// describe them.
func writeJSON[T Report | Diff](w io.Writer, document T, _ Options) error { return encode(w, document) }

// encode writes JSON that people can read too.
func encode(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}
