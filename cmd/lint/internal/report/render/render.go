// Package render prints HelmReleases as Flux will apply them, with the place that
// decides each failure setting.
package render

import (
	"io"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/release"
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

// All writes releases in a format or, if a field is given, why it has its value in each.
func All(w io.Writer, format string, all []*effective.Release, field release.Path, secrets bool) error {
	if field == nil {
		out := []Release{}
		for _, one := range all {
			out = append(out, Of(one, secrets))
		}
		return Write(w, format, out)
	}
	out := []Explained{}
	for _, one := range all {
		out = append(out, Explain(one, field, secrets))
	}
	if err := checkField(field, out); err != nil {
		return err
	}
	return writeExplained(w, format, out)
}

// Chosen returns the releases whose name, or namespace and name, a glob matches; all if it is
// empty.
func Chosen(all []*effective.Release, glob string) []*effective.Release {
	var out []*effective.Release
	for _, release := range all {
		if release.ID().Matches(glob) {
			out = append(out, release)
		}
	}
	return out
}

// Missing notes what is missing from the output: what cannot be read, and what is undetermined of the releases that
// a glob matches, or if it is empty, of all.
func Missing(note func(format string, args ...any), tree *effective.Tree, glob string) {
	for _, u := range tree.Undetermined {
		if namespace, name, _ := strings.Cut(u.Release, "/"); (release.Name{Namespace: namespace, Name: name}).Matches(glob) {
			note("undetermined: %s:%d: %s", u.File, u.Line, strings.TrimSpace(u.Release+" "+u.Reason))
		}
	}
	for _, p := range tree.Problems {
		note("%s:%d:%d: %v", p.File, p.Line, p.Column, p.Err)
	}
}
