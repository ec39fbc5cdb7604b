package tree

import (
	"iter"
	"path"
	"slices"
)

// layout is where the files of a tree are.
type layout struct {
	dirs  map[string][]string // the paths of what each folder holds, sorted
	paths []string            // of all files, in order
}

// layoutOf lists what each folder holds, and all files in order.
func layoutOf(files iter.Seq[string]) layout {
	l := layout{dirs: map[string][]string{".": nil}}
	for name := range files {
		l.add(name)
	}
	for _, held := range l.dirs {
		slices.Sort(held)
	}
	l.each(".", func(name string) { l.paths = append(l.paths, name) })
	return l
}

// add adds a path to its folder, and the folder to those above it.
func (l layout) add(name string) {
	for name != "." {
		dir := path.Dir(name)
		held, known := l.dirs[dir]
		l.dirs[dir] = append(held, name)
		if known {
			return
		}
		name = dir
	}
}

// each calls f for the files below a folder, in order.
func (l layout) each(dir string, f func(name string)) {
	for _, name := range l.dirs[dir] {
		if l.IsDir(name) {
			l.each(name, f)
		} else {
			f(name)
		}
	}
}

// Paths returns the paths of all files in the order of a walk: folder by
// folder, entries sorted by name, what a folder holds in the place of its
// name. The caller must not change it.
func (l layout) Paths() []string { return l.paths }

// Entries returns the paths of what a folder holds, sorted. The caller must
// not change it.
func (l layout) Entries(dir string) []string { return l.dirs[dir] }

// IsDir reports whether a path is a folder. The root is one, even if it is
// empty.
func (l layout) IsDir(path string) bool {
	_, ok := l.dirs[path]
	return ok
}
