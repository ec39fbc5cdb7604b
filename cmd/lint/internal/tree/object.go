package tree

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// emptyTree names the folder that holds nothing. Git knows it without having
// it.
var emptyTree = plumbing.ComputeHash(plumbing.TreeObject, nil)

func bytesOf(prefix string) []byte {
	out, _ := hex.DecodeString(prefix[:len(prefix)/2*2])
	return out
}

// commit is what is needed of a commit.
type commit struct {
	tree    hash
	parents []hash
	date    int64
}

// commit reads a commit. Those at the border of a shallow clone have no
// parents.
func (r *Repository) commit(h hash) (commit, error) {
	o, err := r.typed(h, plumbing.CommitObject)
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
	if r.shallow[h] {
		c.parents = nil
	}
	return c, nil
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

// typed reads an object of a kind.
func (r *Repository) typed(h hash, kind plumbing.ObjectType) (object, error) {
	if h == emptyTree && kind == plumbing.TreeObject {
		return object{kind: kind}, nil
	}
	o, err := r.objects.read(h, maxObject)
	switch {
	case err != nil:
		return o, err
	case o.size > maxObject:
		return o, fmt.Errorf("object %s is larger than %s", h, size(maxObject))
	case o.kind != kind:
		return o, fmt.Errorf("object %s is no %s", h, kind)
	}
	return o, nil
}

// treeEntry is what a folder of a revision holds.
type treeEntry struct {
	name string
	mode fs.FileMode
	hash hash
}

// Modes that io/fs has no other word for.
const (
	submodule = fs.ModeDir | fs.ModeIrregular
	unknown   = fs.ModeIrregular
)

func modeOf(text string) fs.FileMode {
	switch text {
	case "40000", "040000":
		return fs.ModeDir
	case "120000":
		return fs.ModeSymlink
	case "160000":
		return submodule
	case "100644", "100755", "100664":
		return 0
	}
	return unknown
}

var errFolder = errors.New("malformed folder of a revision")

// entries reads a folder of a revision.
func (r *Repository) entries(h hash) ([]treeEntry, error) {
	o, err := r.typed(h, plumbing.TreeObject)
	if err != nil {
		return nil, err
	}
	var out []treeEntry
	for data := o.data; len(data) > 0; {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, spaced := strings.Cut(string(head), " ")
		if !ok || !spaced || len(rest) < len(hash{}) {
			return nil, fmt.Errorf("object %s: %w", h, errFolder)
		}
		out = append(out, treeEntry{name: name, mode: modeOf(mode), hash: hash(rest[:len(hash{})])})
		data = rest[len(hash{}):]
	}
	return out, nil
}

// lookup returns what a revision's tree has at a path; false if nothing.
func (r *Repository) lookup(tree hash, path string) (treeEntry, bool, error) {
	at := treeEntry{mode: fs.ModeDir, hash: tree}
	if path == "." {
		return at, true, nil
	}
	for part := range strings.SplitSeq(path, "/") {
		if at.mode != fs.ModeDir {
			return at, false, nil
		}
		entries, err := r.entries(at.hash)
		if err != nil {
			return at, false, err
		}
		found := false
		for _, e := range entries {
			if e.name == part {
				at, found = e, true
			}
		}
		if !found {
			return at, false, nil
		}
	}
	return at, true, nil
}
