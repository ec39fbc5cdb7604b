package tree

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"sync"
	"weak"
)

// Hash is the SHA-256 of what a file holds.
type Hash [sha256.Size]byte

// File is one file. Its content is read when it is first asked for, and kept or, if a
// tree holds much, read again when it is needed. It is safe for concurrent use.
type File struct {
	name   string
	origin string
	read   func() ([]byte, error)
	held   *held // nil for a file that is kept

	mu    sync.Mutex
	done  bool // it has been read
	kept  bool // data or err is what it holds
	data  []byte
	last  weak.Pointer[[]byte] // of a file that is read again
	err   error
	known bool // whether hash is
	hash  Hash
}

// Name returns the name for people: the root as it was given, joined with the
// path.
func (f *File) Name() string { return f.name }

// Origin returns the path in the tree that the file was first read from. It
// stays when the file is put elsewhere.
func (f *File) Origin() string { return f.origin }

// Data returns the content, which the caller must not change. It fails if the
// file cannot be read or is too large. What is read again must be what it was, see
// [Unchanged].
func (f *File) Data() ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.kept:
		return f.data, f.err
	case f.done:
		return f.again(), nil
	}
	f.done = true
	data, err := f.read()
	if f.err = cause(err); f.err != nil || f.held.keeps(len(data)) {
		f.kept, f.data, f.read = true, data, nil
		return f.data, f.err
	}
	f.last = weak.Make(&data)
	f.hash, f.known = sha256.Sum256(data), true
	return data, nil
}

// again returns the content of a file that has been read, and is not kept.
func (f *File) again() []byte {
	if data := f.last.Value(); data != nil {
		return *data
	}
	data, err := f.read()
	if err != nil || sha256.Sum256(data) != f.hash {
		panic(changed{f.name})
	}
	f.last = weak.Make(&data)
	return data
}

// Again returns the content of a file that has been read without an error.
func (f *File) Again() []byte {
	data, _ := f.Data()
	return data
}

// Hash returns the hash of the content or, if it cannot be read, of the error.
func (f *File) Hash() Hash {
	f.mu.Lock()
	known := f.known
	f.mu.Unlock()
	if known {
		return f.hash
	}
	data, err := f.Data()
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		data = []byte("cannot be read\x00" + err.Error())
	}
	f.hash, f.known = sha256.Sum256(data), true
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
