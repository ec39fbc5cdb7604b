package tree

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// sortAsListed sorts what a folder holds by name, as a walk meets it.
func sortAsListed(entries []treeEntry) {
	slices.SortFunc(entries, func(a, b treeEntry) int { return cmp.Compare(a.name, b.name) })
}

// link reports a symbolic link of the revision as a walk of the disk would.
func (l *lister) link(name string) {
	target, found, err := l.target(path.Join(l.inner, name))
	folder := found.mode == fs.ModeDir
	outside := err == nil && !filepath.IsLocal(filepath.FromSlash(target))
	if outside {
		target, folder, err = elsewhere(relativeTo(l.repository.root, target))
	}
	switch {
	case errors.Is(err, errNowhere):
		if isManifest(name) {
			l.problem(name, errNowhere)
		}
	case err != nil:
		l.problem(name, err)
	case !outside && within(filepath.FromSlash(l.inner), filepath.FromSlash(target)):
	case isManifest(name) || folder:
		l.problem(name, errOut(relativeTo(l.repository.root, target)))
	}
}

// elsewhere returns what the disk has outside of the repository: the place
// without symbolic links, and whether it is a folder.
func elsewhere(name string) (string, bool, error) {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", false, errNowhere
	}
	return target, isFolder(target), nil
}

func (l *lister) problem(name string, err error) {
	l.tree.problems = append(l.tree.problems, Problem{Path: name, Err: err})
}

// target returns the path that a path of the revision leads to when all
// symbolic links are followed, and what is there. If that is out of the
// repository, the path is absolute or begins with "../".
func (l *lister) target(name string) (string, treeEntry, error) {
	done, open := ".", strings.Split(name, "/")
	at := treeEntry{mode: fs.ModeDir}
	for links := 0; len(open) > 0; {
		next := path.Join(done, open[0])
		open = open[1:]
		if next == ".." || strings.HasPrefix(next, "../") {
			return path.Join(append([]string{next}, open...)...), treeEntry{}, nil
		}
		found, ok, err := l.repository.lookup(l.top, next)
		if err != nil {
			return "", at, err
		}
		if !ok {
			return "", at, errNowhere
		}
		if at = found; at.mode != fs.ModeSymlink {
			done = next
			continue
		}
		if links++; links > 40 {
			return "", at, errNowhere
		}
		o, err := l.repository.objects.read(at.hash, maxPath)
		if err != nil {
			return "", at, err
		}
		if path.IsAbs(string(o.data)) {
			return path.Join(append([]string{string(o.data)}, open...)...), treeEntry{}, nil
		}
		open = append(strings.Split(string(o.data), "/"), open...)
	}
	return done, at, nil
}
