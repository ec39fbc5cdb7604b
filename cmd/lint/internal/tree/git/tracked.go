package git

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"sync"

	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// maxIndex is the size up to which an index is read: of some two million files.
const maxIndex = 256 << 20

// Tracked is the files of a work tree that its index or its HEAD holds, those
// that were added by force among them.
type Tracked struct {
	prefix string           // path of the folder in the repository; "" at its top
	index  map[string]Hash  // of the paths of the index, zero for the folders above them
	head   func() *Revision // nil if there is none; opened for what the index does not have
}

// TrackedIn returns what Git tracks below a folder of a work tree. It returns
// nil if that cannot be known: the folder is in no repository, or its index
// cannot be read. Then any file may be tracked.
func TrackedIn(folder string) *Tracked {
	top, inner, ok := around(folder)
	if !ok {
		return nil
	}
	dir, err := gitDirOf(top)
	if err != nil || !dir.valid() {
		return nil
	}
	held, err := dir.index()
	if err != nil {
		return nil
	}
	return &Tracked{prefix: inner, index: held, head: sync.OnceValue(func() *Revision { return headOf(top) })}
}

// Has reports whether a file is tracked or, of a folder, anything below it is.
// The path is relative to the folder that was given to [TrackedIn].
func (t *Tracked) Has(name string) bool {
	if t == nil {
		return true
	}
	name = path.Join(t.prefix, name)
	if _, ok := t.index[name]; ok {
		return true
	}
	head := t.head()
	if head == nil {
		return false
	}
	_, ok, err := head.Lookup(name)
	return ok || err != nil // what cannot be read may be tracked
}

// Holds reports whether the index has a file with these bytes.
func (t *Tracked) Holds(name string, data []byte) bool {
	return t != nil && t.index[path.Join(t.prefix, name)] == BlobHash(data)
}

// headOf returns what HEAD holds; nil before the first commit, or if it cannot
// be read: the index has it too, unless it was removed there.
func headOf(top string) *Revision {
	repository, err := Open(top)
	if err != nil {
		return nil
	}
	head, err := repository.Revision("HEAD")
	if err != nil {
		return nil
	}
	return head
}

// index returns the hashes of the paths of a work tree's index, and zero for the folders above
// them. Without an index, nothing was added yet.
func (d gitDir) index() (map[string]Hash, error) {
	out := map[string]Hash{}
	data, err := readIn(d.own, "index", maxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	var read index.Index
	if err := index.NewDecoder(bytes.NewReader(data)).Decode(&read); err != nil {
		return nil, err
	}
	for _, e := range read.Entries {
		name := path.Clean(e.Name)
		out[name] = e.Hash
		for name = path.Dir(name); name != "."; name = path.Dir(name) {
			if _, known := out[name]; known {
				break
			}
			out[name] = Hash{}
		}
	}
	return out, nil
}
