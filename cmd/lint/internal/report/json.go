package report

import (
	"encoding/json"
	"io"
)

// writeJSON writes the report as docs/report.schema.json describes it.
func writeJSON(w io.Writer, r Report, _ Options) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}
