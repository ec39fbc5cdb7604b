// Package render prints HelmReleases as Flux will apply them, with the place that
// decides each failure setting.
package render

import (
	"encoding/json"
	"io"
)

// Formats lists the names of the formats, the default first.
func Formats() []string { return []string{"yaml", "json"} }

// Write writes releases in a format of [Formats].
func Write(w io.Writer, format string, all []Release) error {
	if format == "json" {
		return writeJSON(w, all)
	}
	return writeYAML(w, all)
}

func writeJSON(w io.Writer, all []Release) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(all)
}
