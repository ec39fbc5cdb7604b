package git

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// emptyTree names the folder that holds nothing. Git knows it without having
// it.
var emptyTree = plumbing.ComputeHash(plumbing.TreeObject, nil)

// typed reads an object that must be of a kind.
func (s *store) typed(h Hash, kind plumbing.ObjectType) (object, error) {
	if h == emptyTree && kind == plumbing.TreeObject {
		return object{kind: kind}, nil
	}
	o, err := s.read(h, maxObject)
	switch {
	case err != nil:
		return o, err
	case o.size > maxObject:
		return o, fmt.Errorf("object %s is larger than %d MiB", h, maxObject>>20)
	case o.kind != kind:
		return o, fmt.Errorf("object %s is no %s", h, kind)
	}
	return o, nil
}

// commit is what is needed of a commit.
type commit struct {
	tree    Hash
	parents []Hash
	date    int64
}

// commit reads a commit. Those at the border of a shallow clone have no
// parents.
func (s *store) commit(h Hash) (commit, error) {
	o, err := s.typed(h, plumbing.CommitObject)
	if err != nil {
		return commit{}, err
	}
	var c commit
	for key, value := range headers(o.data) {
		switch key {
		case "tree":
			c.tree = plumbing.NewHash(value)
		case "parent":
			c.parents = append(c.parents, plumbing.NewHash(value))
		case "committer":
			if fields := strings.Fields(value); len(fields) > 1 {
				c.date, _ = strconv.ParseInt(fields[len(fields)-2], 10, 64)
			}
		}
	}
	if s.border[h] {
		c.parents = nil
	}
	return c, nil
}

// tagged returns the object that an annotated tag names.
func tagged(data []byte) Hash {
	for key, value := range headers(data) {
		if key == "object" {
			return plumbing.NewHash(value)
		}
	}
	return Hash{}
}

// headers returns the lines "key value" before the message of an object.
func headers(data []byte) func(yield func(key, value string) bool) {
	return func(yield func(key, value string) bool) {
		for line := range bytes.Lines(data) {
			key, value, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
			if key == "" && value == "" || !yield(key, value) {
				return
			}
		}
	}
}
