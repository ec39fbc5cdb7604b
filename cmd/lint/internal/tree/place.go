package tree

import (
	"os"
	"path/filepath"
	"strings"
)

// place is where the root of a tree is.
type place struct {
	root string // as it was given
	base string // that paths are joined with in names
	abs  string // base as an absolute path; "" if no folder of the disk is meant
	here string // path of the working directory, if names are to be seen from there
}

// placeOf returns the place of a folder of the disk.
func placeOf(root string) (place, error) {
	abs, err := filepath.Abs(root)
	return place{root: root, base: root, abs: abs}, err
}

// around returns the place of a folder that was found around another. Names in it are
// those that people in the working directory would type.
func (p place) around() place {
	at, err := os.Getwd()
	if err != nil || filepath.IsAbs(p.root) {
		return p
	}
	if rel, err := filepath.Rel(p.abs, at); err == nil && filepath.IsLocal(rel) && rel != "." {
		p.here = filepath.ToSlash(rel)
	}
	return p
}

// sub returns the place of a folder below.
func (p place) sub(dir string) place {
	name := p.join(dir)
	out := place{root: name, base: name}
	if p.abs != "" {
		out.abs = filepath.Join(p.abs, filepath.FromSlash(dir))
	}
	out.here, _ = strings.CutPrefix(p.here, dir+"/")
	if out.here == p.here {
		out.here = ""
	}
	return out
}

// join returns the name for people of a path: the root as it was given, joined
// with the path.
func (p place) join(path string) string {
	if p.here != "" {
		if name, err := filepath.Rel(filepath.FromSlash(p.here), filepath.FromSlash(path)); err == nil {
			return name
		}
	}
	return filepath.Join(p.base, filepath.FromSlash(path))
}

// Root returns the root as it was given; "" for a tree made by [Of].
func (p place) Root() string { return p.root }

// Path returns the path of what people call name, which need not exist. It
// returns false if that is not below the root.
func (p place) Path(name string) (string, bool) {
	if name == "" {
		return "", false
	}
	base := p.base
	if p.abs != "" {
		abs, err := filepath.Abs(name)
		if err != nil {
			return "", false
		}
		base, name = p.abs, abs
	}
	rel, err := filepath.Rel(base, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
