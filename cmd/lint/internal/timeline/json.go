package timeline

import (
	"io"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

// writeJSON writes a document as docs/forecast.schema.json describes it.
func writeJSON[T any](w io.Writer, v T, _ Options) error { return plain.WriteJSON(w, v) }
