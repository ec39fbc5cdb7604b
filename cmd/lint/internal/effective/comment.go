package effective

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective/comments"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Comments are those of a tree, in the order of its files.
type Comments []*comments.Comment

// Beside lists the comments beside a place.
func (c Comments) Beside(_ rules.Finding, at Location) []*comments.Comment {
	var out []*comments.Comment
	for _, one := range c {
		if one.Err == nil && one.File == at.File && one.Beside == at.Line {
			out = append(out, one)
		}
	}
	return out
}

// readComments reads those of all manifests.
func (t *Tree) readComments() {
	read := func(files *tree.Tree) {
		for _, name := range files.Paths() {
			if f := files.File(name); build.IsManifest(name) && t.opts.Builder.Look(f).Waives {
				t.Comments = append(t.Comments, comments.In(f.Name(), f.Again())...)
			}
		}
	}
	var seen []*tree.Tree
	for _, in := range t.opts.Inputs {
		if !slices.Contains(seen, in.Files) { // several folders of one repository are read once
			seen = append(seen, in.Files)
			read(in.Files)
		}
	}
	for _, files := range t.opts.sources() {
		read(files)
	}
	for _, r := range t.Releases {
		if len(t.Comments) > 0 {
			r.Commented = t.Comments.Beside
		}
	}
}
