package report

import (
	"encoding/json"
	"io"
)

// writeJSON writes the report as docs/report.schema.json describes it.
func writeJSON(w io.Writer, r Report, _ Options) error { return encode(w, r) }

// encode writes JSON that people can read too.
func encode(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}
