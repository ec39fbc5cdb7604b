package overview

import (
	"fmt"
	"io"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// Formats are the output formats.
func Formats() []report.Format {
	return words.Of([]string{"text", "json", "jsonl", "markdown", "html"}, func(name string) report.Format { return report.Format{Name: name} })
}

// Write writes a report in a format. Only the text goes by the size of a screen, only the page
// says which version of the program wrote it.
func Write(w io.Writer, format string, r Report, on document.Screen, version string) error {
	switch format {
	case "text":
		return writeText(w, plain.Copy(r, plain.Line), on)
	case "json":
		all := r.Releases
		r.Releases = []Release{}
		return plain.WriteJSON(w, r, plain.ListOf("releases", all))
	case "jsonl":
		all := r.Releases
		r.Releases = []Release{}
		if err := WriteLines(w, all); err != nil {
			return err
		}
		return plain.WriteJSONLine(w, r)
	case "markdown":
		return writeMarkdown(w, plain.Copy(r, plain.Line))
	case "html":
		return writeHTML(w, plain.Copy(r, plain.Line), version)
	}
	return fmt.Errorf("unknown format %q", format)
}

// WriteLines writes each release in a line of JSON. After the lines of all comes that of the report without them, so
// that a reader knows whether there is more.
func WriteLines(w io.Writer, releases []Release) error {
	for i := range releases {
		if err := plain.WriteJSONLine(w, &releases[i]); err != nil {
			return err
		}
	}
	return nil
}
