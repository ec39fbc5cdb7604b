package tree

import (
	"path"
	"slices"
)

// layout is where the files of a tree are.
type layout struct {
	dirs  map[string][]string // the paths of what each folder holds, sorted
	paths []string            // of all files, in order
}

// layoutOf lists what each folder holds, and all files in order.
func layoutOf(files map[string]*File) layout {
	l := layout{dirs: map[string][]string{".": nil}, paths: make([]string, 0, len(files))}
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
		if _, ok := l.dirs[name]; ok {
			l.each(name, f)
		} else {
			f(name)
		}
	}
}
