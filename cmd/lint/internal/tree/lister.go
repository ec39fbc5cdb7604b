package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/sourceignore"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
)

// maxPath is the length that a path of a revision may have.
const maxPath = 4096

// lister reads the files of a folder of a revision into a tree.
type lister struct {
	tree       *Tree
	repository *git.Repository
	files      *git.Revision
	opts       Options
	inner      string // path of the folder in the repository
	module     string // path of the submodule whose repository it is; empty outside of one
	up         string
	others     int  // entries that are no files
	out        bool // below what is left out
}

func (l *lister) folder(ctx context.Context, dir string, h git.Hash) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := l.files.Entries(h)
	if err != nil {
		return err
	}
	sortAsListed(entries)
	for i, e := range entries {
		name := path.Join(dir, e.Name)
		// A few objects can stand for any number of folders without files.
		if e.Kind != git.File {
			l.others++
		}
		switch {
		case l.others > max(maxFiles, l.opts.maxFiles()):
			return fmt.Errorf("%s holds more folders and links than a tree can have", l.tree.root)
		case i > 0 && entries[i-1].Name == e.Name:
			return fmt.Errorf("the revision has two files of the name %.100q", name)
		case !isName(e.Name) || len(name) > maxPath:
			return fmt.Errorf("the revision has a file of the name %.100q, which no file can have", name)
		case e.Name == ".git":
		case l.out || l.opts.ignores(l.up, name):
			err = l.leaveOut(ctx, name, e)
		case e.Kind == git.Folder:
			err = l.folder(ctx, name, e.Hash)
		default:
			err = l.entry(ctx, name, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leaveOut notes the manifests at and below a path that is left out.
func (l *lister) leaveOut(ctx context.Context, name string, e git.Entry) error {
	if e.Kind == git.Folder {
		inner := *l
		inner.out = true
		err := inner.folder(ctx, name, e.Hash)
		l.others = inner.others
		return err
	}
	if e.Kind == git.File && isManifest(name) {
		l.tree.leftOut = append(l.tree.leftOut, name)
	}
	return nil
}

// sortAsListed sorts what a folder holds by name, as a walk meets it.
func sortAsListed(entries []git.Entry) {
	slices.SortFunc(entries, func(a, b git.Entry) int { return cmp.Compare(a.Name, b.Name) })
}

func isName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
}

// entry takes in what is no folder.
func (l *lister) entry(ctx context.Context, name string, e git.Entry) error {
	switch e.Kind {
	case git.Link:
		if err := ctx.Err(); err != nil {
			return err
		}
		l.link(name)
	case git.Submodule:
		return l.submodule(ctx, name, e.Hash)
	case git.File:
		files, abs := l.files, l.tree.abs
		l.tree.files[name] = &File{name: l.tree.join(name), origin: name, read: func() ([]byte, error) {
			if data, ok := unchanged(abs, name, e.Hash, limitOf(name)); ok {
				return data, nil
			}
			return content(files, name, e.Hash)
		}}
		return l.opts.full(l.tree.root, len(l.tree.files))
	}
	return nil
}

// submodule takes in the files of a submodule, as a walk of the disk does. Without its repository they are not known.
func (l *lister) submodule(ctx context.Context, name string, commit git.Hash) error {
	repository, files, err := l.repository.Module(l.files, l.within(name), commit)
	if err != nil {
		return err
	}
	if files == nil {
		l.tree.submodules = append(l.tree.submodules, name)
		return nil
	}
	inner := *l
	inner.repository, inner.files, inner.inner, inner.module = repository, files, ".", name
	err = inner.folder(ctx, name, files.Top())
	l.others = inner.others
	return err
}

// within returns the path in the repository of a path of the tree.
func (l *lister) within(name string) string { return path.Join(l.inner, relative(l.module, name)) }

// content reads a file of a revision.
func content(files *git.Revision, name string, h git.Hash) ([]byte, error) {
	data, size, err := files.Blob(h, limitOf(name))
	if err == nil && size > limitOf(name) {
		return nil, tooLarge(name)
	}
	return data, err
}

// link reports a symbolic link of the revision as a walk of the disk would.
func (l *lister) link(name string) {
	target, found, err := l.files.Follow(l.within(name))
	folder := found.Kind == git.Folder
	outside := err == nil && !filepath.IsLocal(filepath.FromSlash(target))
	if outside {
		target, folder, err = follow(l.repository.Abs(target))
	}
	switch {
	case path.Base(name) == sourceignore.IgnoreFile:
		l.problem(name, errIgnoreLink)
	case errors.Is(err, git.ErrNowhere), errors.Is(err, errNowhere):
		if isManifest(name) {
			l.problem(name, errNowhere)
		}
	case err != nil:
		l.problem(name, err)
	case !outside && within(filepath.FromSlash(l.inner), filepath.FromSlash(target)):
	case isManifest(name) || folder:
		l.problem(name, errOut(l.repository.Abs(target)))
	}
}

func (l *lister) problem(name string, err error) {
	l.tree.problems = append(l.tree.problems, Problem{Path: name, Err: err})
}
