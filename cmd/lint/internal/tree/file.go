package tree

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"sync"
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
// file cannot be read or is too large.
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

// cause returns what an error of a file is about, without the file's name.
func cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
