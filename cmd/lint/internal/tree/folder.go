package tree

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/fluxcd/pkg/sourceignore/gitignore"
)

// Options say what is left out of a tree, and how large it may be.
type Options struct {
	// Ignore reports whether a file or folder is left out. The path is
	// relative to the root as it was given, with slashes; in the tree around
	// it, paths begin with "../".
	Ignore func(path string) bool
	// MaxFiles is the number of files that a tree may have; zero means 200,000.
	MaxFiles int
	// MaxFileSize is the size up to which a file of the name *.yaml, *.yml or
	// *.json is read; zero means 10 MiB.
	MaxFileSize int64
}

func (o Options) limits() limits {
	l := limits{manifest: maxManifest, opaque: maxOpaque}
	if o.MaxFileSize > 0 {
		l.manifest = o.MaxFileSize
		l.opaque = min(l.opaque, l.manifest)
	}
	return l
}

// ignores reports whether a path is left out of the tree that begins at up,
// seen from the root as it was given.
func (o Options) ignores(up, name string) bool {
	return o.Ignore != nil && o.Ignore(path.Join(up, name))
}

func (o Options) maxFiles() int {
	if o.MaxFiles > 0 {
		return o.MaxFiles
	}
	return maxFiles
}

// full returns an error if a tree has more files than it may have.
func (o Options) full(root string, files int) error {
	if files <= o.maxFiles() {
		return nil
	}
	return fmt.Errorf("%s holds more than the limit of %d files: name a smaller folder, or leave folders out", root, o.maxFiles())
}

// Folder returns the files below a folder of the disk. It leaves out .git, what
// .gitignore files exclude, and symbolic links. It fails if there is no such
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
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	t := &Tree{root: root, base: root, abs: abs, files: map[string]*File{}, source: disk{opts}}
	w := &walker{tree: t, up: up, opts: opts, limits: opts.limits()}
	if err := w.walk(ctx); err != nil {
		return nil, err
	}
	t.layout = layoutOf(t.files)
	return t, nil
}

// walker reads the files below a folder into a tree.
type walker struct {
	tree   *Tree
	up     string
	opts   Options
	limits limits
	disk   fs.FS
}

func (w *walker) walk(ctx context.Context) error {
	root, err := os.OpenRoot(w.tree.abs)
	if err != nil {
		w.problem(".", err)
		return nil
	}
	defer root.Close() //nolint:errcheck // it was only read
	w.disk = root.FS()
	return w.dir(ctx, ".", nil)
}

func (w *walker) dir(ctx context.Context, dir string, patterns []gitignore.Pattern) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := fs.ReadDir(w.disk, dir)
	if err != nil {
		w.problem(dir, err)
		return nil
	}
	patterns = w.gitignore(dir, patterns)
	matcher := gitignore.NewMatcher(patterns)
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		switch {
		case entry.Name() == ".git", w.opts.ignores(w.up, name), matcher.Match(strings.Split(name, "/"), entry.IsDir()):
		case entry.IsDir():
			err = w.dir(ctx, name, patterns)
		case entry.Type()&fs.ModeSymlink != 0:
			w.link(name)
		case entry.Type().IsRegular():
			err = w.file(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) file(name string) error {
	abs, limits := w.tree.abs, w.limits
	w.tree.files[name] = &File{name: w.tree.Name(name), origin: name, read: func() ([]byte, error) {
		file, err := os.OpenInRoot(abs, filepath.FromSlash(name))
		if err != nil {
			return nil, err
		}
		defer file.Close() //nolint:errcheck // it was only read
		return limits.readAll(name, file)
	}}
	return w.opts.full(w.tree.root, len(w.tree.files))
}

func (w *walker) problem(name string, err error) {
	w.tree.problems = append(w.tree.problems, Problem{Path: name, Err: cause(err)})
}
