package tree

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/fluxcd/pkg/sourceignore"
	"github.com/fluxcd/pkg/sourceignore/gitignore"
)

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
	at, err := placeOf(root)
	if err != nil {
		return nil, err
	}
	t := &Tree{place: at, files: map[string]*File{}}
	t.outward = func(ctx context.Context, root, up string) (*Tree, error) { return folder(ctx, root, up, opts) }
	w := &walker{tree: t, up: up, opts: opts, limits: opts.limits()}
	if err := w.walk(ctx); err != nil {
		return nil, err
	}
	t.arrange()
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
	defer root.Close()
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
	patterns = gitignores(gitignoreOf(w.disk, dir), dir, patterns)
	matcher := gitignore.NewMatcher(patterns)
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		switch {
		case entry.Name() == ".git", w.opts.ignores(w.up, name), matcher.Match(strings.Split(name, "/"), entry.IsDir()):
		case entry.IsDir():
			err = w.dir(ctx, name, patterns)
		case entry.Type()&fs.ModeSymlink != 0:
			if entry.Name() == sourceignore.IgnoreFile {
				w.problem(name, errIgnoreLink)
			} else if err := linkError(w.tree.abs, name); err != nil {
				w.problem(name, err)
			}
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
	w.tree.files[name] = &File{name: w.tree.join(name), origin: name, read: func() ([]byte, error) {
		file, err := os.OpenInRoot(abs, filepath.FromSlash(name))
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return limits.readAll(name, file)
	}}
	return w.opts.full(w.tree.root, len(w.tree.files))
}

func (w *walker) problem(name string, err error) {
	w.tree.problems = append(w.tree.problems, Problem{Path: name, Err: cause(err)})
}
