package tree

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Tree returns what a revision has in the place of a file or folder of the work
// tree. Its files have the names that they have, or would have, there. It is
// empty if the revision has nothing there. What a .gitignore file excludes is
// part of it if the revision has it.
func (r *Repository) Tree(ctx context.Context, rev, at string, opts Options) (*Tree, error) {
	inner, err := r.inside(at)
	if err != nil {
		return nil, err
	}
	h, err := r.resolve(rev)
	if err != nil {
		return nil, err
	}
	top, err := r.peel(h, "tree")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", r.noRevision(rev), err)
	}
	found, ok, err := r.lookup(top, inner)
	if err != nil {
		return nil, err
	}
	view := revision{repository: r, top: top, opts: opts}
	switch {
	case ok && found.mode == fs.ModeDir:
		return view.folder(ctx, at, inner, "", found.hash)
	case ok && found.mode == 0:
		return view.single(at, inner, found.hash)
	}
	return view.nothing(at)
}

// revision is the source of the trees of one revision.
type revision struct {
	repository *Repository
	top        hash
	opts       Options
}

func (v revision) nothing(at string) (*Tree, error) {
	t := &Tree{root: at, base: at, files: map[string]*File{}, source: v}
	if info, err := os.Stat(at); err == nil && !info.IsDir() {
		t.base, t.source = filepath.Dir(at), nil
	}
	var err error
	t.abs, err = filepath.Abs(t.base)
	t.layout = layoutOf(t.files)
	return t, err
}

func (v revision) single(at, inner string, h hash) (*Tree, error) {
	dir := filepath.Dir(at)
	return single(at, func(chart string) bool {
		rel, err := filepath.Rel(dir, chart)
		if err != nil {
			return false
		}
		_, ok, err := v.repository.lookup(v.top, path.Join(path.Dir(inner), filepath.ToSlash(rel)))
		return ok && err == nil
	}, func() ([]byte, error) { return v.content(inner, h) })
}

// content reads a file of the revision.
func (v revision) content(name string, h hash) ([]byte, error) {
	limits := v.opts.limits()
	o, err := v.repository.objects.read(h, limits.of(name))
	if err == nil && o.size > limits.of(name) {
		return limits.tooLarge(name)
	}
	return o.data, err
}

// folder reads a folder of the revision that is at a path of the disk.
func (v revision) folder(ctx context.Context, root, inner, up string, h hash) (*Tree, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	t := &Tree{root: root, base: root, abs: abs, files: map[string]*File{}, source: v}
	l := &lister{revision: v, tree: t, inner: inner, up: up}
	if err := l.folder(ctx, ".", h); err != nil {
		return nil, err
	}
	t.layout = layoutOf(t.files)
	return t, nil
}

func (v revision) around(ctx context.Context, root, up string) (*Tree, error) {
	if top, err := resolved(root); err != nil || top != v.repository.root {
		return nil, nil //nolint:nilerr // the name leads through a symbolic link: nothing is around it
	}
	return v.folder(ctx, root, ".", up, v.top)
}

// lister reads the files of a folder of a revision into a tree.
type lister struct {
	revision
	tree  *Tree
	inner string // path of the folder in the repository
	up    string
	dirs  int
}

func (l *lister) folder(ctx context.Context, dir string, h hash) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// A few objects can stand for any number of folders without files.
	if l.dirs++; l.dirs > max(maxFiles, l.opts.maxFiles()) {
		return fmt.Errorf("%s holds more folders than a tree can have", l.tree.root)
	}
	entries, err := l.repository.entries(h)
	if err != nil {
		return err
	}
	sortAsListed(entries)
	for _, e := range entries {
		name := path.Join(dir, e.name)
		if !isName(e.name) || len(name) > maxPath {
			return fmt.Errorf("the revision has a file of the name %.100q, which no file can have", name)
		}
		if e.name != ".git" && !l.opts.ignores(l.up, name) {
			if err := l.entry(ctx, name, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxPath is the length that a path of a revision may have.
const maxPath = 4096

func isName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
}

func (l *lister) entry(ctx context.Context, name string, e treeEntry) error {
	switch e.mode {
	case fs.ModeDir:
		return l.folder(ctx, name, e.hash)
	case fs.ModeSymlink:
		l.link(name)
	case submodule:
		l.tree.submodules = append(l.tree.submodules, name)
	case 0:
		v := l.revision
		l.tree.files[name] = &File{name: l.tree.Name(name), origin: name, read: func() ([]byte, error) {
			return v.content(name, e.hash)
		}}
		return l.opts.full(l.tree.root, len(l.tree.files))
	}
	return nil
}
