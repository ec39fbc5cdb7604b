package tree

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// Limits of a tree.
const (
	maxFiles = 200_000
	// maxManifest is the largest file that is read as manifests, as yamledit
	// has it.
	maxManifest = 10 << 20
	// maxOpaque is the size above which a file that holds no manifests is read
	// as empty: what a generator puts into a ConfigMap does not matter here.
	maxOpaque = 1 << 20
)

// Hash is the SHA-256 of what a file holds.
type Hash [sha256.Size]byte

// File is one file. Its content is read when it is first asked for, and kept.
// It is safe for concurrent use.
type File struct {
	name   string
	origin string
	read   func() ([]byte, error)

	once sync.Once
	data []byte
	err  error

	hashed sync.Once
	hash   Hash
}

// Name returns the name for people: the root as it was given, joined with the
// path.
func (f *File) Name() string { return f.name }

// Origin returns the path in the tree that the file was first read from. It
// stays when the file is put elsewhere.
func (f *File) Origin() string { return f.origin }

// Data returns the content, which the caller must not change. It fails if the
// file cannot be read, or if it is larger than manifests can be. Other files
// that are too large are empty.
func (f *File) Data() ([]byte, error) {
	f.once.Do(func() {
		f.data, f.err = f.read()
		f.err = cause(f.err)
		f.read = nil
	})
	return f.data, f.err
}

// Hash returns the hash of the content or, if it cannot be read, of the error.
func (f *File) Hash() Hash {
	f.hashed.Do(func() {
		data, err := f.Data()
		if err != nil {
			data = []byte("cannot be read\x00" + err.Error())
		}
		f.hash = sha256.Sum256(data)
	})
	return f.hash
}

// IsLFSPointer reports whether the content is kept by Git LFS, and this only
// says where.
func (f *File) IsLFSPointer() bool {
	data, err := f.Data()
	return err == nil && len(data) < 1024 && bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/v1\n"))
}

// fixed returns a file with a known content.
func fixed(name, origin string, data []byte) *File {
	return &File{name: name, origin: origin, read: func() ([]byte, error) { return data, nil }}
}

// limits are the sizes above which files are not read.
type limits struct{ manifest, opaque int64 }

// of returns the limit for a file by its name.
func (l limits) of(name string) int64 {
	if isManifest(name) {
		return l.manifest
	}
	return l.opaque
}

// tooLarge returns the content of a file that is larger than its limit.
func (l limits) tooLarge(name string) ([]byte, error) {
	if isManifest(name) {
		return nil, fmt.Errorf("larger than %s: not read", size(l.manifest))
	}
	return nil, nil
}

func size(n int64) string {
	if n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// readAll reads a file of that name up to its limit.
func (l limits) readAll(name string, r io.Reader) ([]byte, error) {
	limit := l.of(name)
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		return l.tooLarge(name)
	}
	return data, err
}

// cause returns what an error of a file is about, without the file's name.
func cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
