package effective

import "github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"

// Writer is something that sets fields of a release.
type Writer struct {
	// What names it for people: "patch 2 of Kustomization flux-system/apps".
	What string `json:"what"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// Location is the place that a person must edit to change a field.
type Location struct {
	File         string
	Line, Column int
	// Exact is true if the field itself is written there. Otherwise it is the nearest
	// written parent, or the text that the field comes from.
	Exact bool
	// Excerpt is what is written there.
	Excerpt yamledit.Excerpt
	// SetBy are the writers of the field if that is not the release's own document:
	// first the one at the place above, then the one that uses it.
	SetBy []Writer

	doc  *yamledit.Document // of the field; nil if it is not known
	path []any              // of the field in doc, written or not

	field *string // what Field has returned; nil if that is not kept, or not known yet
}

// located is the place of a field.
type located struct {
	path string
	at   *Location
}
