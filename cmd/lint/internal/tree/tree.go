package tree

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Tree is an immutable set of files below one root. Paths have slashes and are
// relative to the root, which is "."; folders are those that hold files. It is
// safe for concurrent use.
type Tree struct {
	root string // as it was given
	base string // that paths are joined with in names
	abs  string // base as an absolute path; "" if no folder of the disk is meant

	files map[string]*File
	layout

	problems   []Problem
	submodules []string

	source source          // of its surroundings; nil if it has none
	beside map[string]bool // paths that exist and are not part of the tree
}

// Problem is something that could not be read.
type Problem struct {
	Path string
	Err  error
}

// Paths returns the paths of all files in the order of a walk: folder by
// folder, entries sorted by name, what a folder holds in the place of its
// name. The caller must not change it.
func (t *Tree) Paths() []string { return t.paths }

// File returns the file at a path, nil if there is none.
func (t *Tree) File(path string) *File { return t.files[path] }

// Entries returns the paths of what a folder holds, sorted. The caller must
// not change it.
func (t *Tree) Entries(dir string) []string { return t.dirs[dir] }

// IsDir reports whether a path is a folder. The root is one, even if it is
// empty.
func (t *Tree) IsDir(path string) bool {
	_, ok := t.dirs[path]
	return ok
}

// Exists reports whether there is a file or a folder at a path. For a tree of
// one file it knows the Chart.yaml of the chart that the file is a template of.
func (t *Tree) Exists(path string) bool {
	return t.files[path] != nil || t.IsDir(path) || t.beside[path]
}

// Root returns the root as it was given; "" for a tree made by [Of].
func (t *Tree) Root() string { return t.root }

// Name returns the name for people of a path, which need not exist: the root
// as it was given, joined with the path.
func (t *Tree) Name(path string) string {
	if f := t.files[path]; f != nil {
		return f.name
	}
	return filepath.Join(t.base, filepath.FromSlash(path))
}

// Path returns the path of what people call name, which need not exist. It
// returns false if that is not below the root.
func (t *Tree) Path(name string) (string, bool) {
	base := t.base
	if t.abs != "" {
		abs, err := filepath.Abs(name)
		if err != nil {
			return "", false
		}
		base, name = t.abs, abs
	}
	rel, err := filepath.Rel(base, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Problems returns what could not be read, in the order of the walk.
func (t *Tree) Problems() []Problem { return t.problems }

// Submodules returns the paths at which a revision has another repository,
// whose files are not part of it.
func (t *Tree) Submodules() []string { return t.submodules }

// isManifest reports whether a file may hold manifests by its name.
func isManifest(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name))
}

// within reports whether file is dir or below it. Both are clean.
func within(dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}

// isPath reports whether a path may stand in a tree.
func isPath(name string) bool {
	return name != "." && path.Clean(name) == name && !path.IsAbs(name) && name != ".." && !strings.HasPrefix(name, "../")
}
