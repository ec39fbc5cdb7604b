package git

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// Limits of a repository's objects.
const (
	maxObject     = 64 << 20 // bytes of a commit, a tag or a folder
	maxAlternates = 32       // folders of objects
	maxOpenPacks  = 16
	cachedObjects = 32 * cache.MiByte
)

// store reads the objects of a repository and of the others that it borrows
// from.
type store struct {
	partial bool          // an object may be missing
	border  map[Hash]bool // commits of a shallow clone, whose parents are missing

	mutex sync.Mutex // go-git's storage is not safe for concurrent use
	dirs  []*filesystem.ObjectStorage
}

func openStore(dir string) (*store, error) {
	s := &store{}
	seen := map[string]bool{}
	for open := []string{dir}; len(open) > 0; open = open[1:] {
		dir := open[0]
		if seen[dir] {
			continue
		}
		if seen[dir] = true; len(seen) > maxAlternates {
			return nil, fmt.Errorf("the repository borrows objects from more than %d others", maxAlternates)
		}
		if filepath.Base(dir) != "objects" {
			return nil, fmt.Errorf("the repository borrows objects from %s, which is not named objects and so cannot be read", dir)
		}
		git := dotgit.New(osfs.New(filepath.Dir(dir)))
		s.dirs = append(s.dirs, filesystem.NewObjectStorageWithOptions(git, cache.NewObjectLRU(cachedObjects),
			filesystem.Options{MaxOpenDescriptors: maxOpenPacks, LargeObjectThreshold: maxObject}))
		open = append(open, alternates(dir)...)
	}
	return s, nil
}

// alternates returns the folders of objects that another one borrows from.
func alternates(dir string) []string {
	data, err := readIn(dir, filepath.Join("info", "alternates"), maxGitFile)
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && line[0] != '#' {
			out = append(out, relativeTo(dir, unquote(line)))
		}
	}
	return out
}

// object is what a hash names.
type object struct {
	kind plumbing.ObjectType
	data []byte
	size int64 // data is nil if this is above the limit
}

// read returns an object, without its content if that is larger than limit.
func (s *store) read(h Hash, limit int64) (object, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, dir := range s.dirs {
		size, err := dir.EncodedObjectSize(h)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue
		}
		if err != nil {
			return object{}, fmt.Errorf("read object %s: %w", h, err)
		}
		if size > limit {
			return object{size: size}, nil
		}
		return decode(dir, h)
	}
	return object{}, s.missing(h)
}

func decode(dir *filesystem.ObjectStorage, h Hash) (object, error) {
	encoded, err := dir.EncodedObject(plumbing.AnyObject, h)
	if err != nil {
		return object{}, fmt.Errorf("read object %s: %w", h, err)
	}
	reader, err := encoded.Reader()
	if err != nil {
		return object{}, fmt.Errorf("read object %s: %w", h, err)
	}
	defer reader.Close()
	data := make([]byte, encoded.Size())
	if _, err := io.ReadFull(reader, data); err != nil {
		return object{}, fmt.Errorf("read object %s: %w", h, err)
	}
	return object{kind: encoded.Type(), data: data, size: encoded.Size()}, nil
}

// errMissing says that an object is not in the repository.
var errMissing = errors.New("is not here")

func (s *store) missing(h Hash) error {
	switch {
	case s.partial:
		return fmt.Errorf("object %s %w, because this is a partial clone: run git fetch --refetch --no-filter, or clone without --filter", h, errMissing)
	case s.shallow():
		return fmt.Errorf("object %s %w, because this is a shallow clone: run git fetch --unshallow", h, errMissing)
	}
	return fmt.Errorf("object %s %w: the repository is damaged, git fsck says more", h, errMissing)
}

// shallow reports whether the history has a border.
func (s *store) shallow() bool { return len(s.border) > 0 }

// abbreviated returns the objects whose hashes begin with hexadecimal digits.
func (s *store) abbreviated(prefix string) ([]Hash, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	seen := map[Hash]bool{}
	var out []Hash
	for _, dir := range s.dirs {
		found, err := dir.HashesWithPrefix(bytesOf(prefix))
		if err != nil {
			return nil, err
		}
		for _, h := range found {
			if strings.HasPrefix(h.String(), prefix) && !seen[h] {
				seen[h] = true
				out = append(out, h)
			}
		}
	}
	return out, nil
}

func bytesOf(prefix string) []byte {
	out, _ := hex.DecodeString(prefix[:len(prefix)/2*2])
	return out
}
