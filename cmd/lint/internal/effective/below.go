package effective

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// concerns reports whether a release that a cluster applies concerns the folder
// Input.Below although its document is elsewhere: something in there applies it, lies on
// the way to it or writes a field of it.
func (l *loader) concerns(r *Release) bool {
	for _, k := range r.chain {
		dir, ok := l.fleet.Folder(k)
		if ok && l.inBelow(dir) || l.below(k.File) {
			return true
		}
	}
	innermost := r.chain[0]
	return slices.ContainsFunc(l.fleet.Between(innermost, r.File), l.inBelow) || l.writes(r)
}

// writes reports whether a file in Input.Below writes a field of a release.
func (l *loader) writes(r *Release) bool {
	found := false
	object.Leaves(nil, r.shadow, func(_ release.Path, tag any) {
		o, ok := r.table.Origin(tag)
		found = found || ok && l.below(o.Doc.File.Name)
	})
	return found
}

// below reports whether a file of the tree is in Input.Below.
func (l *loader) below(file string) bool {
	rel, ok := l.in.Files.Path(file)
	return ok && l.inBelow(rel)
}
