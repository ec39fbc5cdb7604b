package tree

import (
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
)

// Of returns a tree of files of other trees under paths of its own. Each keeps
// its name, origin and content. A path that no file can have is a [Problem].
func Of(files map[string]*File) *Tree {
	t := &Tree{}
	t.put(files)
	return t
}

// put makes a tree hold files. It leaves out those whose path is not valid or
// leads through another file.
func (t *Tree) put(files map[string]*File) {
	t.files = maps.Clone(files)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := misplaced(name, files); err != nil {
			delete(t.files, name)
			t.problems = append(t.problems, Problem{Path: name, Err: err})
		}
	}
	if t.files == nil {
		t.files = map[string]*File{}
	}
	t.arrange()
}

// misplaced returns why no tree can have a file at a path among others.
func misplaced(name string, files map[string]*File) error {
	if !isPath(name) || files[name] == nil {
		return errors.New("not a path of a file")
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if files[dir] != nil {
			return errors.New("below a path that is a file: " + dir)
		}
	}
	return nil
}

// With returns the same tree with other content of some files, by path. What
// is not among them is shared. A path that is new is added.
func (t *Tree) With(changes map[string][]byte) *Tree {
	out := *t
	out.files = maps.Clone(t.files)
	added := false
	for name, data := range changes {
		origin := name
		if old := t.files[name]; old != nil {
			origin = old.origin
		} else {
			added = true
		}
		out.files[name] = fixed(t.Name(name), origin, slices.Clone(data))
	}
	if added {
		out.problems = slices.Clone(t.problems)
		out.put(out.files)
	}
	return &out
}

// Instead returns the same tree with files that are made when they are first read: each
// function is called at most once, and nil stands for what the tree has.
func (t *Tree) Instead(made map[string]func() []byte) *Tree {
	out := *t
	out.files = maps.Clone(t.files)
	for name, data := range made {
		old := t.files[name]
		out.files[name] = &File{name: old.name, origin: old.origin, read: func() ([]byte, error) {
			if other := data(); other != nil {
				return other, nil
			}
			return old.Data()
		}}
	}
	return &out
}

// Sub returns the tree that begins at a folder: paths lose the prefix. Files
// keep their names and origins. It is empty if there is no such folder.
func (t *Tree) Sub(dir string) *Tree {
	if dir == "." || dir == "" {
		return t
	}
	out := &Tree{place: t.sub(dir), files: map[string]*File{}}
	t.each(dir, func(name string) {
		out.files[strings.TrimPrefix(name, dir+"/")] = t.files[name]
	})
	for _, name := range t.leftOut {
		if inner, ok := strings.CutPrefix(name, dir+"/"); ok {
			out.leftOut = append(out.leftOut, inner)
		}
	}
	out.arrange()
	return out
}

// isPath reports whether a path may stand in a tree.
func isPath(name string) bool {
	return name != "." && path.Clean(name) == name && !path.IsAbs(name) && name != ".." && !strings.HasPrefix(name, "../")
}
