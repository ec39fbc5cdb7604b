package git

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// Limits of symbolic links.
const (
	maxTarget = 4096 // bytes of what one holds
	maxLinks  = 40   // on the way of one path, as Linux has it
)

// Revision is the files of a revision. It is safe for concurrent use.
type Revision struct {
	objects *store
	top     Hash
}

// Revision returns the files of a revision: of a branch, a tag, a remote's
// branch, a full or abbreviated hash, HEAD or @, with suffixes such as ~2, ^2
// and ^{tree}.
func (r *Repository) Revision(name string) (*Revision, error) {
	h, err := r.resolve(name)
	if err != nil {
		return nil, err
	}
	top, err := r.objects.peel(h, "tree")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", r.noRevision(name), err)
	}
	return &Revision{objects: r.objects, top: top}, nil
}

// Entries returns what a folder holds, in the order of the object.
func (v *Revision) Entries(folder Hash) ([]Entry, error) { return v.objects.entries(folder) }

// Blob returns the content of a file and its size. The content is nil if the
// size is above limit.
func (v *Revision) Blob(file Hash, limit int64) (data []byte, size int64, err error) {
	o, err := v.objects.read(file, limit)
	return o.data, o.size, err
}

// Lookup returns what is at a path; false if nothing is. The path "." is the
// top folder. Symbolic links are not followed.
func (v *Revision) Lookup(path string) (Entry, bool, error) {
	at := Entry{Kind: Folder, Hash: v.top}
	if path == "." {
		return at, true, nil
	}
	for part := range strings.SplitSeq(path, "/") {
		if at.Kind != Folder {
			return at, false, nil
		}
		entries, err := v.objects.entries(at.Hash)
		if err != nil {
			return at, false, err
		}
		found := false
		for _, e := range entries {
			if e.Name == part {
				at, found = e, true
			}
		}
		if !found {
			return at, false, nil
		}
	}
	return at, true, nil
}

// ErrNowhere says that nothing is where a symbolic link leads to.
var ErrNowhere = errors.New("symbolic link leads nowhere")

// Follow returns the path that a path leads to when all symbolic links are
// followed, and what is there. A path out of the repository is absolute or
// begins with "../", and what is there is not known.
func (v *Revision) Follow(name string) (string, Entry, error) {
	done, open := ".", strings.Split(name, "/")
	at := Entry{Kind: Folder, Hash: v.top}
	for links := 0; len(open) > 0; {
		next := path.Join(done, open[0])
		open = open[1:]
		if next == ".." || strings.HasPrefix(next, "../") {
			return path.Join(append([]string{next}, open...)...), Entry{}, nil
		}
		found, ok, err := v.Lookup(next)
		if err != nil {
			return "", at, err
		}
		if !ok {
			return "", at, ErrNowhere
		}
		if at = found; at.Kind != Link {
			done = next
			continue
		}
		if links++; links > maxLinks {
			return "", at, ErrNowhere
		}
		target, err := v.target(at.Hash)
		if err != nil {
			return "", at, err
		}
		if path.IsAbs(target) {
			return path.Join(append([]string{target}, open...)...), Entry{}, nil
		}
		open = append(strings.Split(target, "/"), open...)
	}
	return done, at, nil
}

// target returns what a symbolic link holds.
func (v *Revision) target(link Hash) (string, error) {
	data, _, err := v.Blob(link, maxTarget)
	return string(data), err
}
