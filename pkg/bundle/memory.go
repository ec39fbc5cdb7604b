package bundle

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// memory is a file system: the content of files by their names.
type memory map[string][]byte

// Open opens a file or a folder.
func (m memory) Open(name string) (fs.File, error) {
	info, err := m.Stat(name)
	if err != nil {
		return nil, err
	}
	entries, _ := m.ReadDir(name)
	return &opened{bytes.NewReader(m[name]), info, entries}, nil
}

// Stat describes a file or a folder.
func (m memory) Stat(name string) (fs.FileInfo, error) {
	if data, ok := m[name]; ok {
		return entry{name: path.Base(name), size: int64(len(data))}, nil
	}
	for other := range m {
		if name == "." || strings.HasPrefix(other, name+"/") {
			return entry{name: path.Base(name), dir: true}, nil
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadDir lists a folder by name.
func (m memory) ReadDir(name string) ([]fs.DirEntry, error) {
	var out []fs.DirEntry
	for other, data := range m {
		rel := strings.TrimPrefix(other, name+"/")
		if name != "." && rel == other {
			continue
		}
		first, _, deeper := strings.Cut(rel, "/")
		found := entry{name: first, dir: deeper}
		if !deeper {
			found.size = int64(len(data))
		}
		out = append(out, fs.FileInfoToDirEntry(found))
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return slices.CompactFunc(out, func(a, b fs.DirEntry) bool { return a.Name() == b.Name() }), nil
}

// opened is a file or a folder that is read.
type opened struct {
	*bytes.Reader
	info    fs.FileInfo
	entries []fs.DirEntry
}

func (o *opened) Stat() (fs.FileInfo, error) { return o.info, nil }
func (o *opened) Close() error               { return nil }

// ReadDir returns the next entries of a folder.
func (o *opened) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(o.entries) {
		n = len(o.entries)
	}
	next := o.entries[:n]
	o.entries = o.entries[n:]
	return next, nil
}

// entry describes a file or a folder.
type entry struct {
	name string
	size int64
	dir  bool
}

func (e entry) Name() string       { return e.name }
func (e entry) Size() int64        { return e.size }
func (e entry) ModTime() time.Time { return time.Time{} }
func (e entry) IsDir() bool        { return e.dir }
func (e entry) Sys() any           { return nil }

// Mode is that of a file that can be read.
func (e entry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
