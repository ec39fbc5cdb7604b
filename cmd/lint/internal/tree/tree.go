package tree

import (
	"context"
	"maps"
)

// Tree is an immutable set of files below one root. Paths have slashes and are
// relative to the root, which is "."; folders are those that hold files. It is
// safe for concurrent use.
type Tree struct {
	place
	layout
	files map[string]*File

	problems   []Problem
	submodules []string
	leftOut    []string
	ignored    []string

	outward outward         // nil if nothing is known around it
	beside  map[string]bool // paths that exist and are not part of the tree
}

// outward reads the tree whose root is some folders up, as "../..", of the same
// folder of the disk or revision. It returns nil if there is none.
type outward func(ctx context.Context, root, up string) (*Tree, error)

// Problem is something that could not be read.
type Problem struct {
	Path string
	Err  error
}

// arrange lists the files in order once all are there.
func (t *Tree) arrange() { t.layout = layoutOf(maps.Keys(t.files)) }

// File returns the file at a path, nil if there is none.
func (t *Tree) File(path string) *File { return t.files[path] }

// Exists reports whether there is a file or a folder at a path. For a tree of
// one file it knows the Chart.yaml of the chart that the file is a template of.
func (t *Tree) Exists(path string) bool {
	return t.files[path] != nil || t.IsDir(path) || t.beside[path]
}

// Name returns the name for people of a path, which need not exist: the root
// as it was given, joined with the path.
func (t *Tree) Name(path string) string {
	if f := t.files[path]; f != nil {
		return f.name
	}
	return t.join(path)
}

// Problems returns what could not be read, in the order of the walk.
func (t *Tree) Problems() []Problem { return t.problems }

// Submodules returns the paths of submodules whose files are not here.
func (t *Tree) Submodules() []string { return t.submodules }

// LeftOut returns the paths of the manifests that the options leave out, and that Git has or may have.
func (t *Tree) LeftOut() []string { return t.leftOut }

// Ignored returns the paths of all files and folders of the disk that the options leave out.
func (t *Tree) Ignored() []string { return t.ignored }
