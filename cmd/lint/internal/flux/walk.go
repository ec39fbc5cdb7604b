package flux

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/sourceignore/gitignore"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// walker lists the files below a root that may hold manifests. It follows no
// symbolic link and honours .gitignore.
type walker struct {
	root    string // as given
	ignores func(rel string) bool
	visit   func(rel string)
	problem func(rel string, err error)
}

// walk visits the files in order. Paths are relative to the root, with slashes.
func (w *walker) walk(ctx context.Context) error {
	return w.dir(ctx, ".", nil)
}

func (w *walker) dir(ctx context.Context, rel string, patterns []gitignore.Pattern) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(w.root, rel))
	if err != nil {
		w.problem(rel, err)
		return nil
	}
	patterns = w.gitignore(rel, patterns)
	matcher := gitignore.NewMatcher(patterns)
	for _, entry := range entries {
		name := path.Join(rel, entry.Name())
		switch {
		case entry.Name() == ".git", w.ignores(name), matcher.Match(strings.Split(name, "/"), entry.IsDir()):
		case entry.IsDir():
			if err := w.dir(ctx, name, patterns); err != nil {
				return err
			}
		case entry.Type()&fs.ModeSymlink != 0:
			w.link(name)
		case entry.Type().IsRegular():
			w.visit(name)
		}
	}
	return nil
}

// gitignore adds the patterns of a folder to those of the folders above it.
func (w *walker) gitignore(rel string, patterns []gitignore.Pattern) []gitignore.Pattern {
	data, err := os.ReadFile(filepath.Join(w.root, rel, ".gitignore"))
	if err != nil {
		return patterns
	}
	var domain []string
	if rel != "." {
		domain = strings.Split(rel, "/")
	}
	patterns = slices.Clone(patterns)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, gitignore.ParsePattern(line, domain))
		}
	}
	return patterns
}

// link reports a symbolic link that could have led to manifests but leads
// nowhere or out of the tree. What it leads to inside is visited there.
func (w *walker) link(rel string) {
	file := filepath.Join(w.root, rel)
	target, err := filepath.EvalSymlinks(file)
	if err != nil {
		if isManifest(rel) {
			w.problem(rel, errors.New("symbolic link leads nowhere"))
		}
		return
	}
	root, err := filepath.EvalSymlinks(w.root)
	if err != nil || within(root, target) {
		return
	}
	if info, err := os.Stat(target); err == nil && (info.IsDir() || isManifest(rel)) {
		w.problem(rel, fmt.Errorf("symbolic link leads out of the tree, to %s: not followed", target))
	}
}

// within tells whether file is dir or below it; both are clean.
func within(dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}

func isManifest(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name))
}

// isTemplate tells whether the name says that a template engine writes
// manifests from the file.
func isTemplate(name string) bool {
	return slices.Contains([]string{".j2", ".jinja", ".jinja2", ".tpl", ".tmpl", ".gotmpl"}, path.Ext(name))
}

// readFile reads a file of the tree, refusing what is too large to be manifests.
func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > yamledit.MaxFileSize {
		return nil, fmt.Errorf("larger than %d MiB: not read", yamledit.MaxFileSize>>20)
	}
	return os.ReadFile(name)
}
