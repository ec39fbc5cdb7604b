package tree

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/fluxcd/pkg/sourceignore"
	"github.com/fluxcd/pkg/sourceignore/gitignore"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
)

// Folder returns the files below a folder of the disk. It leaves out .git,
// symbolic links, and what .gitignore files exclude and Git does not track: all
// that is in a commit reaches Flux. It fails if there is no such
// folder, if it holds too many files and when ctx is done; what it cannot read
// below is a [Problem].
func Folder(ctx context.Context, root string, opts Options) (*Tree, error) {
	return folder(ctx, root, "", opts)
}

// folder reads the folder that is up from where the options begin.
func folder(ctx context.Context, root, up string, opts Options) (*Tree, error) {
	info, err := os.Stat(root)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: root, Err: fmt.Errorf("not a folder")}
	}
	at, err := placeOf(root)
	if err != nil {
		return nil, err
	}
	if up != "" {
		at = at.around()
	}
	t := &Tree{place: at, files: map[string]*File{}}
	t.outward = func(ctx context.Context, root, up string) (*Tree, error) { return folder(ctx, root, up, opts) }
	w := &walker{tree: t, up: up, opts: opts, held: opts.held(), folders: &folders{abs: at.abs}}
	if err := w.walk(ctx); err != nil {
		return nil, err
	}
	t.arrange()
	for name := range git.Modules(startOf(os.DirFS(at.abs), ".", ".gitmodules")) {
		if !t.IsDir(name) {
			t.submodules = append(t.submodules, name)
		}
	}
	slices.Sort(t.submodules)
	return t, nil
}

// walker reads the files below a folder into a tree.
type walker struct {
	tree *Tree
	up   string
	opts Options
	held *held
	disk fs.FS

	folders *folders
}

// repository is the part of a walk that one Git repository holds.
type repository struct {
	dir      string // where its part of the walk begins
	patterns []gitignore.Pattern
	tracked  func() *git.Tracked // read when a pattern first matches
	// attributes are those by which Git writes other bytes to the disk.
	attributes git.Attributes
}

func (w *walker) repository(dir string) repository {
	return repositoryAt(filepath.Join(w.tree.abs, filepath.FromSlash(dir)), dir)
}

// repositoryAt returns the repository of a folder of the disk, whose part of a walk begins at dir.
func repositoryAt(abs, dir string) repository {
	return repository{
		dir: dir, tracked: sync.OnceValue(func() *git.Tracked { return git.TrackedIn(abs) }), attributes: git.AttributesAround(abs),
	}
}

// with returns the same repository with what the files of a folder say to Git.
func (r repository) with(ignored, attributes []byte, dir string) repository {
	r.patterns = gitignores(ignored, dir, r.patterns)
	if len(attributes) > 0 {
		r.attributes = r.attributes.With(attributes, relative(r.dir, dir))
	}
	return r
}

// ignores reports whether Git leaves out a file or a folder.
func (r repository) ignores(name string, folder bool) bool {
	return r.matches(name, folder) && !r.tracked().Has(relative(r.dir, name))
}

// matches reports whether a .gitignore matches a file or a folder.
func (r repository) matches(name string, folder bool) bool {
	return gitignore.NewMatcher(r.patterns).Match(strings.Split(name, "/"), folder)
}

// relative returns a path below a folder, as seen from there.
func relative(dir, name string) string {
	if dir == "." {
		return name
	}
	if dir == name {
		return "."
	}
	return strings.TrimPrefix(name, dir+"/")
}

func (w *walker) walk(ctx context.Context) error {
	root, err := os.OpenRoot(w.tree.abs)
	if err != nil {
		w.problem(".", err)
		return nil
	}
	defer root.Close()
	w.disk = root.FS()
	return w.dir(ctx, ".", w.repository("."))
}

func (w *walker) dir(ctx context.Context, dir string, in repository) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := fs.ReadDir(w.disk, dir)
	if err != nil {
		w.problem(dir, err)
		return nil
	}
	if dir != "." && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".git" }) {
		in = w.repository(dir) // a submodule, or a repository in a repository
	}
	holds := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name && e.Type().IsRegular() })
	}
	var attributes []byte
	if holds(gitattributesFile) {
		attributes = startOf(w.disk, dir, gitattributesFile)
	}
	var ignored []byte
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == gitignoreFile }) {
		ignored = startOf(w.disk, dir, gitignoreFile)
	}
	in = in.with(ignored, attributes, dir)
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		switch {
		case entry.Name() == ".git", in.ignores(name, entry.IsDir()):
		case w.opts.ignores(w.up, name):
			err = w.leaveOut(ctx, name)
		case entry.IsDir():
			err = w.dir(ctx, name, in)
		case entry.Type()&fs.ModeSymlink != 0:
			if entry.Name() == sourceignore.IgnoreFile {
				w.problem(name, errIgnoreLink)
			} else if err := linkError(w.tree.abs, name); err != nil {
				w.problem(name, err)
			}
		case entry.Type().IsRegular():
			err = w.file(name, &in)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leaveOut notes what is at and below a path that is left out, and which of it are manifests.
func (w *walker) leaveOut(ctx context.Context, name string) error {
	return fs.WalkDir(w.disk, name, func(name string, entry fs.DirEntry, err error) error {
		w.tree.ignored = append(w.tree.ignored, name)
		if err == nil && entry.Type().IsRegular() && isManifest(name) {
			w.tree.leftOut = append(w.tree.leftOut, name)
		}
		return ctx.Err()
	})
}

func (w *walker) file(name string, in *repository) error {
	folders := w.folders
	w.tree.files[name] = &File{name: w.tree.join(name), origin: name, held: w.held, read: func() ([]byte, error) {
		file, err := folders.open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		data, err := readAll(name, file)
		if err != nil {
			return nil, err
		}
		return in.committed(name, data)
	}}
	return w.opts.full(w.tree.root, len(w.tree.files))
}

func (w *walker) problem(name string, err error) {
	w.tree.problems = append(w.tree.problems, Problem{Path: name, Err: cause(err)})
}
