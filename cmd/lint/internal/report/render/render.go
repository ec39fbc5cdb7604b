// Package render prints HelmReleases as Flux will apply them, with the place that
// decides each failure setting.
package render

import (
	"io"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

// Formats lists the names of the formats, the default first.
func Formats() []string { return []string{"yaml", "json"} }

// Write writes releases in a format of [Formats].
func Write(w io.Writer, format string, all []Release) error {
	if format == "json" {
		return plain.WriteJSON(w, all)
	}
	return writeYAML(w, all)
}
