package git

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"
)

// Limits of symbolic links.
const (
	maxTarget = 4096 // bytes of what one holds
	maxLinks  = 40   // on the way of one path, as Linux has it
	maxSteps  = 1024 // folders on the way of one path
)

// Revision is the files of a revision. It is safe for concurrent use.
type Revision struct {
	objects *store
	top     Hash

	mutex   sync.Mutex
	folders map[Hash]map[string]Entry // by name, of those that were looked into
	known   int                       // entries of them
}

// maxKnown is the number of entries that are kept for a path to come.
const maxKnown = 1 << 19

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

// Top returns the top folder.
func (v *Revision) Top() Hash { return v.top }

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
		found, ok, err := v.child(at, part)
		if !ok || err != nil {
			return at, false, err
		}
		at = found
	}
	return at, true, nil
}

// child returns what a folder holds under a name; false if it holds nothing.
func (v *Revision) child(folder Entry, name string) (Entry, bool, error) {
	if folder.Kind != Folder {
		return Entry{}, false, nil
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	held, ok := v.folders[folder.Hash]
	if !ok {
		entries, err := v.objects.entries(folder.Hash)
		if err != nil {
			return Entry{}, false, err
		}
		if v.known += len(entries); v.folders == nil || v.known > maxKnown {
			v.folders, v.known = map[Hash]map[string]Entry{}, len(entries)
		}
		held = map[string]Entry{}
		for _, e := range entries {
			held[e.Name] = e
		}
		v.folders[folder.Hash] = held
	}
	found, ok := held[name]
	return found, ok, nil
}

// ErrNowhere says that nothing is where a symbolic link leads to.
var ErrNowhere = errors.New("symbolic link leads nowhere")

// Follow returns the path that a path leads to when all symbolic links are
// followed, and what is there. A path out of the repository is absolute or
// begins with "../", and what is there is not known.
func (v *Revision) Follow(name string) (string, Entry, error) {
	var done []string
	way := []Entry{{Kind: Folder, Hash: v.top}} // to what is at done
	open := strings.Split(name, "/")
	for links, steps := 0, 0; len(open) > 0; steps++ {
		part, at := open[0], way[len(way)-1]
		open = open[1:]
		switch {
		case steps > maxSteps:
			return "", at, ErrNowhere
		case part == "" || part == ".":
			continue
		case part == ".." && len(done) == 0:
			return path.Join(append([]string{part}, open...)...), Entry{}, nil
		case part == "..":
			done, way = done[:len(done)-1], way[:len(way)-1]
			continue
		}
		found, ok, err := v.child(at, part)
		if err != nil {
			return "", at, err
		}
		if !ok {
			return "", at, ErrNowhere
		}
		if found.Kind != Link {
			done, way = append(done, part), append(way, found)
			continue
		}
		if links++; links > maxLinks {
			return "", found, ErrNowhere
		}
		target, err := v.target(found.Hash)
		if err != nil {
			return "", found, err
		}
		if path.IsAbs(target) {
			return path.Join(append([]string{target}, open...)...), Entry{}, nil
		}
		open = append(strings.Split(target, "/"), open...)
	}
	return path.Join(append([]string{"."}, done...)...), way[len(way)-1], nil
}

// target returns what a symbolic link holds.
func (v *Revision) target(link Hash) (string, error) {
	data, _, err := v.Blob(link, maxTarget)
	return string(data), err
}
