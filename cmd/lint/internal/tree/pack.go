package tree

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/sourceignore"
	"github.com/fluxcd/pkg/sourceignore/gitignore"
)

// Pack returns what source-controller packs of a tree: the files that neither
// its default patterns, nor .sourceignore files of the tree, nor the patterns
// of a source's spec.ignore exclude.
func (t *Tree) Pack(ignore string) *Tree {
	patterns := sourceignores(t, ".", nil)
	patterns = append(patterns, sourceignore.ReadPatterns(strings.NewReader(ignore), nil)...)
	matcher := sourceignore.NewDefaultMatcher(patterns, nil)
	return t.where(func(name string) bool { return !matcher.Match(strings.Split(name, "/"), false) })
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

// sourceignores adds the patterns of a folder and of those below it.
func sourceignores(t *Tree, dir string, patterns []gitignore.Pattern) []gitignore.Pattern {
	if file := t.files[path.Join(dir, sourceignore.IgnoreFile)]; file != nil {
		if data, err := file.Data(); err == nil {
			patterns = append(patterns, sourceignore.ReadPatterns(bytes.NewReader(data), domain(dir))...)
		}
	}
	for _, name := range t.dirs[dir] {
		if t.IsDir(name) {
			patterns = sourceignores(t, name, patterns)
		}
	}
	return patterns
}
