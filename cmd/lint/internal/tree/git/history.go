package git

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// errNone says that a name stands for nothing.
var errNone = errors.New("no such object")

// ancestor returns the commit that is n first parents back.
func (s *store) ancestor(h Hash, n int) (Hash, error) {
	h, err := s.parent(h, 0)
	for ; n > 0 && err == nil; n-- {
		h, err = s.parent(h, 1)
	}
	return h, err
}

// parent returns the nth parent of a commit, which is its own 0th.
func (s *store) parent(h Hash, n int) (Hash, error) {
	h, err := s.peel(h, "commit")
	if err != nil || n == 0 {
		return h, err
	}
	c, err := s.commit(h)
	if err != nil {
		return h, err
	}
	if n > len(c.parents) {
		return h, errNone
	}
	return c.parents[n-1], nil
}

// maxDepth is how many tags of tags are followed: a damaged one may name itself.
const maxDepth = 1000

// peel follows tags until an object is of a kind. If the kind is "tree", it
// follows a commit, too; if it is "", it follows tags only.
func (s *store) peel(h Hash, kind string) (Hash, error) {
	for range maxDepth {
		if h == emptyTree && (kind == "" || kind == "tree") {
			return h, nil
		}
		o, err := s.read(h, maxObject)
		switch {
		case err != nil:
			return h, err
		case o.kind == plumbing.TagObject && kind != "tag" && kind != "object":
			h = tagged(o.data)
		case o.kind == plumbing.CommitObject && kind == "tree":
			c, err := s.commit(h)
			return c.tree, err
		case kind == "" || kind == "object" || kind == o.kind.String():
			return h, nil
		default:
			return h, errNone
		}
	}
	return h, fmt.Errorf("object %s is tagged by more than %d tags of each other", h, maxDepth)
}

// maxTags is the number of tags up to which they are listed.
const maxTags = 100_000

// Tags returns the names of the tags, without refs/tags/, in order. It returns
// the first 100,000 at most.
func (r *Repository) Tags() []string {
	var out []string
	add := func(full string) {
		if name, ok := strings.CutPrefix(full, "refs/tags/"); ok && isReference(full) && len(out) < maxTags {
			out = append(out, name)
		}
	}
	if packed, err := readIn(r.dir.common, "packed-refs", maxPackedRefs); err == nil {
		for line := range bytes.Lines(packed) {
			_, full, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), " ")
			add(full)
		}
	}
	_ = fs.WalkDir(os.DirFS(r.dir.common), "refs/tags", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			add(filepath.ToSlash(name))
		}
		return nil // what cannot be listed is no tag
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// Written returns the path in the repository of a path of the disk as it is written,
// without following symbolic links of the work tree: a change may have made those. The
// error is ErrOutside if it is not below the repository.
func (r *Repository) Written(at string) (string, error) {
	abs, err := filepath.Abs(at)
	if err != nil {
		return "", err
	}
	top := ""
	for dir := abs; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil && real == r.root {
			top = dir // the outermost: a link of the work tree may lead back to its root
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if top == "" {
		return "", fmt.Errorf("%s %w %s", at, ErrOutside, r.root)
	}
	rel, err := filepath.Rel(top, abs)
	return filepath.ToSlash(rel), err
}

// Unlinked returns an error if a path of the disk leads through a symbolic link of the
// work tree, so that a revision may have something else there.
func (r *Repository) Unlinked(at string) error {
	written, err := r.Written(at)
	if err != nil {
		return nil // it is not in the work tree
	}
	if real, err := r.Path(at); err != nil || real != written {
		return fmt.Errorf("%s leads through a symbolic link, which another revision need not have: name the folder itself", at)
	}
	return nil
}
