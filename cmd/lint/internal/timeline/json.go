package timeline

import (
	"encoding/json"
	"io"
)

// writeJSON writes a document as docs/forecast.schema.json describes it.
func writeJSON[T any](w io.Writer, v T, _ Options) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
