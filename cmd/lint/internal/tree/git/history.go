package git

import (
	"errors"
	"fmt"

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
