package tree

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/fluxcd/pkg/sourceignore"
	"github.com/fluxcd/pkg/sourceignore/gitignore"
)

// Packing packs trees as source-controller does, and remembers what patterns say of a path: a tree
// that is looked at again has most paths that it had. The zero Packing is ready to use, and safe for
// concurrent use.
type Packing struct {
	mu      sync.Mutex
	leftOut map[string]map[string]bool // by the patterns and their folders, by path
}

// Pack returns what source-controller packs of a tree: the files that neither
// its default patterns, nor .sourceignore files of the tree, nor the patterns
// of a source's spec.ignore exclude.
func (p *Packing) Pack(t *Tree, ignore string) *Tree {
	key := &strings.Builder{}
	patterns := sourceignores(t, ".", nil, key)
	patterns = append(patterns, sourceignore.ReadPatterns(strings.NewReader(ignore), nil)...)
	matcher := sourceignore.NewDefaultMatcher(patterns, nil)
	fmt.Fprintf(key, "%q", ignore)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.leftOut == nil {
		p.leftOut = map[string]map[string]bool{}
	}
	known := p.leftOut[key.String()]
	if known == nil {
		known = map[string]bool{}
		p.leftOut[key.String()] = known
	}
	return t.where(func(name string) bool {
		out, ok := known[name]
		if !ok {
			out = matcher.Match(strings.Split(name, "/"), false)
			known[name] = out
		}
		return !out
	})
}

// where returns the tree with the files alone whose paths are taken.
func (t *Tree) where(taken func(name string) bool) *Tree {
	out := *t
	out.files = maps.Clone(t.files)
	maps.DeleteFunc(out.files, func(name string, _ *File) bool { return !taken(name) })
	out.leftOut = slices.DeleteFunc(slices.Clone(t.leftOut), func(name string) bool { return !taken(name) })
	out.arrange()
	return &out
}

// Sparse returns what spec.sparseCheckout of a GitRepository checks out: the files whose paths begin
// with one of its entries, of which each must be there.
// Source: SkipUnless in go-git's plumbing/format/index, and validateSparseCheckoutPaths in
// source-controller.
func (t *Tree) Sparse(entries []string) (*Tree, error) {
	out := t.where(func(name string) bool {
		return slices.ContainsFunc(entries, func(entry string) bool { return strings.HasPrefix(name, strings.TrimPrefix(entry, "./")) })
	})
	for _, entry := range entries {
		if at := strings.TrimPrefix(path.Clean("/"+entry), "/"); at != "" && !out.Exists(at) {
			return nil, fmt.Errorf("its spec.sparseCheckout names %q, which is not checked out: no path begins with it, or it is no file or folder", entry)
		}
	}
	return out, nil
}

// sourceignores adds the patterns of a folder and of those below it, and writes down all that they are made of.
func sourceignores(t *Tree, dir string, patterns []gitignore.Pattern, text io.Writer) []gitignore.Pattern {
	if file := t.files[path.Join(dir, sourceignore.IgnoreFile)]; file != nil {
		if data, err := file.Data(); err == nil {
			patterns = append(patterns, sourceignore.ReadPatterns(bytes.NewReader(data), domain(dir))...)
			fmt.Fprintf(text, "%q %q\n", dir, data)
		}
	}
	for _, name := range t.dirs[dir] {
		if t.IsDir(name) {
			patterns = sourceignores(t, name, patterns, text)
		}
	}
	return patterns
}
