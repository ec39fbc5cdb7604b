package flux

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Release is one HelmRelease as one cluster would run it. One with unknown
// failure settings cannot be judged; it is listed in Tree.Undetermined too.
type Release struct {
	*release.Release
	// TierFrom says which fact put it in its tier.
	TierFrom string
	// File and Line are those of its own document.
	File string
	Line int
	// AppliedBy are the Flux Kustomizations that apply it, from the one that
	// does to the entry of the cluster. Empty if it is taken as it is written.
	AppliedBy []Writer

	origins origins
}

// Writer is something that sets fields of a release.
type Writer struct {
	// What it is, for people: "patch 2 of Kustomization flux-system/apps".
	What string
	File string
	Line int
}

// Location is the place that a person must edit to change a field.
type Location struct {
	File         string
	Line, Column int
	// Exact says that the field itself is written there. If not, it is the
	// nearest parent that is written, or the text that the field comes from.
	Exact bool
	// SetBy says what wrote the field, when it is not the release's own
	// document, from the place above outwards: a patch, then what holds it.
	SetBy []Writer
}

// Value returns what is in force at a path, and reports whether anything writes
// it.
func (r *Release) Value(at release.Path) (any, bool) { return object.Follow(r.Object, at) }
