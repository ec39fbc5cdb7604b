package flux

import (
	"bytes"
	"context"
	"os"
	"path"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// repo is the tree that is read.
type repo struct {
	root   string // as given
	abs    string
	files  []string // paths relative to the root, sorted by folder
	parsed map[string]parsed
	read   func(name string) ([]byte, error)
}

// parsed is a file, or why it cannot be read; neither if it cannot matter.
type parsed struct {
	file *yamledit.File
	err  error
}

func openRepo(ctx context.Context, root string, l *loader) (*repo, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	r := &repo{root: root, abs: abs, parsed: map[string]parsed{}, read: l.opts.read}
	w := &walker{
		root:    root,
		ignores: func(rel string) bool { return l.opts.Config.Ignores(l.opts.configPath(r.name(rel), rel)) },
		visit:   func(rel string) { r.files = append(r.files, rel) },
		problem: func(rel string, err error) { l.problem(Problem{File: r.name(rel), Err: bare(err)}) },
	}
	return r, w.walk(ctx)
}

// name gives the path of a file for people.
func (r *repo) name(rel string) string { return filepath.Join(r.root, rel) }

// parse reads a manifest that can matter; nil if it cannot matter or cannot be
// read.
func (r *repo) parse(rel string) *yamledit.File {
	file, _ := r.open(rel)
	return file
}

// open is parse with the reason why a file cannot be read. Each is read once.
func (r *repo) open(rel string) (*yamledit.File, error) {
	if done, ok := r.parsed[rel]; ok {
		return done.file, done.err
	}
	var out parsed
	data, err := r.read(filepath.Join(r.abs, rel))
	if err == nil && (mayMatter(data) || isKustFile(rel)) {
		out.file, err = yamledit.Parse(r.name(rel), data)
	}
	out.err = err
	r.parsed[rel] = out
	return out.file, out.err
}

// relevant are the words of which a file has one if it can matter: the API
// groups of what is followed, and the shapes of patches.
var relevant = [][]byte{
	[]byte("toolkit.fluxcd.io"), []byte("fluxcd.controlplane.io/"), []byte("source.extensions.fluxcd.io/"),
	[]byte("kustomize.config.k8s.io/"), []byte("op: "), []byte(`"op":`), []byte("instance:"),
}

func mayMatter(data []byte) bool {
	for _, word := range relevant {
		if bytes.Contains(data, word) {
			return true
		}
	}
	return false
}

// mayTrace tells whether text can hold something that carries a trace.
func mayTrace(data []byte) bool {
	return bytes.Contains(data, []byte("helm.toolkit.fluxcd.io/")) ||
		bytes.Contains(data, []byte("kustomize.toolkit.fluxcd.io/"))
}

// hidden tells whether a path has a folder that begins with a dot: what is in
// there is built if Flux is told to, but not taken for a release by itself.
func hidden(rel string) bool {
	for dir := path.Dir(rel); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if path.Base(dir)[0] == '.' {
			return true
		}
	}
	return false
}

// gitTop gives the folder with .git at or above dir; "" if there is none.
func gitTop(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
