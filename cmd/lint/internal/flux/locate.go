package flux

import (
	"cmp"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/manifest"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// origin keeps what wrote a release.
type origin struct {
	doc *manifest.Document // the release's own document
}

// Locate gives the place that a person must edit to change the field at a
// path: where its last writer wrote it or, if nothing did, the nearest written
// parent in the release's own document.
func (r *Release) Locate(path rules.Path) Location {
	pos, exact := r.origin.doc.Find(path...)
	return Location{File: r.File, Line: pos.Line, Column: pos.Column, Exact: exact}
}

// sort puts everything in a stable order.
func (t *Tree) sort() {
	slices.SortFunc(t.Releases, func(a, b *Release) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	slices.SortFunc(t.Undetermined, func(a, b Undetermined) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Cluster, b.Cluster),
			cmp.Compare(a.Release, b.Release), cmp.Compare(a.Reason, b.Reason))
	})
	slices.SortFunc(t.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
