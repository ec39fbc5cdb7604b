package tree

import (
	"context"
	"os"
	"path"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
)

// Revision returns what a revision of a repository has in the place of a file
// or folder of the work tree. Its files have the names that they have, or would
// have, there. It is empty if the revision has nothing there. All of its files
// are tracked, so .gitignore files exclude nothing.
func Revision(ctx context.Context, repository *git.Repository, name, at string, opts Options) (*Tree, error) {
	inner, err := repository.Path(at)
	if err != nil {
		return nil, err
	}
	files, err := repository.Revision(name)
	if err != nil {
		return nil, err
	}
	found, ok, err := files.Lookup(inner)
	if err != nil {
		return nil, err
	}
	r := revision{repository: repository, files: files, opts: opts}
	switch {
	case ok && found.Kind == git.Folder:
		return r.folder(ctx, at, inner, "", found.Hash)
	case ok && found.Kind == git.File:
		return r.single(at, inner, found.Hash)
	}
	return r.nothing(at)
}

// revision makes the trees of one revision.
type revision struct {
	repository *git.Repository
	files      *git.Revision
	opts       Options
}

func (r revision) nothing(at string) (*Tree, error) {
	t := &Tree{place: place{root: at, base: at}, files: map[string]*File{}, outward: r.outward}
	if info, err := os.Stat(at); err == nil && !info.IsDir() {
		t.base, t.outward = filepath.Dir(at), nil
	}
	var err error
	t.abs, err = filepath.Abs(t.base)
	t.arrange()
	return t, err
}

func (r revision) single(at, inner string, h git.Hash) (*Tree, error) {
	dir := filepath.Dir(at)
	return single(at, func(chart string) bool {
		rel, err := filepath.Rel(dir, chart)
		if err != nil {
			return false
		}
		_, ok, err := r.files.Lookup(path.Join(path.Dir(inner), filepath.ToSlash(rel)))
		return ok && err == nil
	}, func() ([]byte, error) { return content(r.files, inner, h) })
}

// folder reads a folder of the revision that is at a path of the disk.
func (r revision) folder(ctx context.Context, root, inner, up string, h git.Hash) (*Tree, error) {
	at, err := placeOf(root)
	if err != nil {
		return nil, err
	}
	if up != "" {
		at = at.around()
	}
	t := &Tree{place: at, files: map[string]*File{}, outward: r.outward}
	l := &lister{tree: t, repository: r.repository, files: r.files, opts: r.opts, inner: inner, up: up}
	if err := l.folder(ctx, ".", h); err != nil {
		return nil, err
	}
	t.arrange()
	return t, nil
}

func (r revision) outward(ctx context.Context, root, up string) (*Tree, error) {
	if inner, err := r.repository.Path(root); err != nil || inner != "." {
		return nil, nil
	}
	top, _, err := r.files.Lookup(".")
	if err != nil {
		return nil, err
	}
	return r.folder(ctx, root, ".", up, top.Hash)
}
