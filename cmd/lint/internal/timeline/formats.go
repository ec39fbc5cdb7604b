package timeline

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// format is a way to write forecasts and comparisons.
type format struct {
	name    string
	exact   bool // its encoding holds any string
	report  func(io.Writer, Report, Options) error
	compare func(io.Writer, Comparisons, Options) error
}

// formats by name, the default first.
var formats = []format{
	{"text", false, writeText, compareText},
	{"json", true, writeJSON[Report], writeJSON[Comparisons]},
	{"html", false, writeHTML, compareHTML},
	{"markdown", false, writeMarkdown, compareMarkdown},
	{"svg", false, writeSVG, compareSVG},
}

// Formats lists the names of the formats, the default first.
func Formats() []string {
	return words.Of(formats, func(f format) string { return f.name })
}

// Write writes a report in a format of [Formats].
func Write(w io.Writer, name string, r Report, opts Options) error {
	return write(name, r, func(f format, r Report) error { return f.report(w, r, opts) })
}

// WriteComparison writes a comparison in a format of [Formats].
func WriteComparison(w io.Writer, name string, c Comparisons, opts Options) error {
	return write(name, c, func(f format, c Comparisons) error { return f.compare(w, c, opts) })
}

func write[T any](name string, document T, in func(format, T) error) error {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return fmt.Errorf("unknown format %q: want %s", name, strings.Join(Formats(), ", "))
	}
	if !formats[i].exact {
		document = plain.Copy(document, plain.Line)
	}
	return in(formats[i], document)
}

// writeJSON writes a document as docs/forecast.schema.json describes it.
func writeJSON[T any](w io.Writer, v T, _ Options) error { return plain.WriteJSON(w, v) }
