package effective

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Release is a HelmRelease as one cluster would run it.
type Release struct {
	*release.Release
	origins
	surroundings
	mask

	// Commented returns the comments that count for a finding, which a place decides; nil if
	// there are none.
	Commented func(rules.Finding, Location) []*Comment
	// Was is the release that it was, if the policy of the base judges it: an entry of the
	// configuration for a cluster, a file or a field must be for that one too. It may be nil.
	Was *Release

	located  []located // what Locate has returned
	estates  *estates  // of its tree
	applier  *Subject  // the Kustomization that applies it; nil until that is asked for
	contents *contents // what the chart renders; nil if that is not known
}

// surroundings decide the tier and the controller of a release.
type surroundings struct {
	// TierFrom is the fact that decided its tier, for people.
	TierFrom string
	// TierIgnored says which marker of a tier is not followed; empty if there is none.
	TierIgnored string
	// ControllerFrom names what says which helm-controller acts on it, or why the version
	// is not known; empty if nothing says so. ControllerNotes are on what contradicts.
	ControllerFrom  string
	ControllerNotes []string

	file     string // that it is written in
	rel      string // path of the file in the tree
	at       rules.Place
	evidence release.Evidence
	found    release.Controller // as the tree shows it
}

// Writer is something that sets fields of a release.
type Writer struct {
	// What names it for people: "patch 2 of Kustomization flux-system/apps".
	What string
	File string
	Line int
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

// Value returns the effective value at a path, and reports whether it is set.
func (r *Release) Value(at release.Path) (any, bool) { return object.Follow(r.Object, at) }
