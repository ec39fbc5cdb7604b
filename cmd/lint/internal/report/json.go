package report

import (
	"io"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

// writeJSON writes a document as docs/report.schema.json and docs/diff.schema.json
// describe them.
func writeJSON[T Report | Diff](w io.Writer, document T, _ Options) error {
	return plain.WriteJSON(w, document)
}

// writeReportJSON writes a report with its causes.
func writeReportJSON(w io.Writer, r Report, opts Options) error {
	r.Causes = []CountedCause{}
	for _, c := range causes(r.Findings) {
		r.Causes = append(r.Causes, c.counted())
	}
	return writeJSON(w, r, opts)
}
