package git

import (
	"bytes"
	"errors"
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

// Entry is what a folder of a revision holds.
type Entry struct {
	Name string
	Kind Kind
	Hash Hash
}

// Kind says what an entry is.
type Kind int

// Other is a mode that git does not write.
const (
	Other Kind = iota
	File
	Folder
	Link
	Submodule
)

// kindOf returns what a mode says, of which git looks only at the kind.
func kindOf(mode string) Kind {
	bits, err := strconv.ParseUint(mode, 8, 32)
	if err != nil {
		return Other
	}
	switch bits & 0o170000 {
	case 0o040000:
		return Folder
	case 0o120000:
		return Link
	case 0o160000:
		return Submodule
	case 0o100000:
		return File
	}
	return Other
}

var errFolder = errors.New("malformed folder of a revision")

func (s *store) entries(h Hash) ([]Entry, error) {
	o, err := s.typed(h, plumbing.TreeObject)
	if err != nil {
		return nil, err
	}
	var out []Entry
	for data := o.data; len(data) > 0; {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, spaced := strings.Cut(string(head), " ")
		if !ok || !spaced || len(rest) < len(Hash{}) {
			return nil, fmt.Errorf("object %s: %w", h, errFolder)
		}
		out = append(out, Entry{Name: name, Kind: kindOf(mode), Hash: Hash(rest[:len(Hash{})])})
		data = rest[len(Hash{}):]
	}
	return out, nil
}

// Hash names an object.
type Hash = plumbing.Hash

func parseHash(text string) (Hash, bool) {
	return plumbing.NewHash(text), plumbing.IsHash(text)
}

// BlobHash returns the hash that a file with a content has.
func BlobHash(data []byte) Hash { return plumbing.ComputeHash(plumbing.BlobObject, data) }
