package tree

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"syscall"
	"time"
)

var errReadOnly = errors.New("the tree is read-only")

var _ interface {
	fs.ReadFileFS
	fs.ReadDirFS
	fs.StatFS
} = (*Tree)(nil)

// Open implements [fs.FS].
func (t *Tree) Open(name string) (fs.File, error) {
	info, err := t.stat("open", name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		entries, err := t.ReadDir(name)
		return &openDir{info: info, path: name, entries: entries}, err
	}
	data, err := t.files[name].Data()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{Reader: bytes.NewReader(data), info: info}, nil
}

// ReadFile implements [fs.ReadFileFS].
func (t *Tree) ReadFile(name string) ([]byte, error) {
	info, err := t.stat("open", name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: syscall.EISDIR}
	}
	data, err := t.files[name].Data()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return append([]byte{}, data...), nil
}

// ReadDir implements [fs.ReadDirFS].
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if !t.IsDir(name) {
		err := error(fs.ErrNotExist)
		if t.files[name] != nil {
			err = syscall.ENOTDIR
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	var out []fs.DirEntry
	for _, held := range t.dirs[name] {
		out = append(out, entry{tree: t, path: held})
	}
	return out, nil
}

// Stat implements [fs.StatFS].
func (t *Tree) Stat(name string) (fs.FileInfo, error) { return t.stat("stat", name) }

func (t *Tree) stat(op, name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if t.IsDir(name) {
		return info{name: path.Base(name)}, nil
	}
	file := t.files[name]
	if file == nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return info{name: path.Base(name), file: file}, nil
}

// info describes a file or, without one, a folder.
type info struct {
	name string
	file *File
}

func (i info) Name() string       { return i.name }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.file == nil }
func (i info) Sys() any           { return nil }

// Size reads the file, and is zero if that fails.
func (i info) Size() int64 {
	if i.file == nil {
		return 0
	}
	data, _ := i.file.Data()
	return int64(len(data))
}

func (i info) Mode() fs.FileMode {
	if i.IsDir() {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// entry is what a folder holds.
type entry struct {
	tree *Tree
	path string
}

func (e entry) Name() string               { return path.Base(e.path) }
func (e entry) IsDir() bool                { return e.tree.IsDir(e.path) }
func (e entry) Type() fs.FileMode          { return info{file: e.tree.files[e.path]}.Mode().Type() }
func (e entry) Info() (fs.FileInfo, error) { return e.tree.Stat(e.path) }
func (e entry) String() string             { return fs.FormatDirEntry(e) }

// openFile is a file that is being read.
type openFile struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

// Write implements the file of kustomize's file system. It always fails.
func (f *openFile) Write([]byte) (int, error) { return 0, errReadOnly }

// openDir is a folder that is being listed.
type openDir struct {
	info    fs.FileInfo
	path    string
	entries []fs.DirEntry // that remain
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }
func (d *openDir) Write([]byte) (int, error)  { return 0, errReadOnly }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.path, Err: syscall.EISDIR}
}

// ReadDir implements [fs.ReadDirFile].
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.entries)
	} else if len(d.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.entries))
	out := slices.Clone(d.entries[:n])
	d.entries = d.entries[n:]
	return out, nil
}
