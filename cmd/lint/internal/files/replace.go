// Package files writes files so that the old or the new content is there, whatever
// happens meanwhile, and reads folders of rules so that reading ends.
package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace writes a file beside the one that it replaces, and renames it. One that is not
// there is made. Other names of the file, which are hard links, keep the old content. A
// read-only file is refused, and so is one that another process is replacing.
//
// The file beside it is .NAME.flux-remedy-tmp: what a process that was killed has left is
// removed by the next one.
func Replace(name string, data []byte) (err error) {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.Mode().Perm()&0o200 == 0:
		return &fs.PathError{Op: "replace", Path: name, Err: errReadOnly}
	}
	temp, err := openTemp(filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".flux-remedy-tmp"))
	if errors.Is(err, fs.ErrNotExist) {
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist} // not of the file beside it
	}
	if err != nil {
		return err
	}
	if info != nil && info.Mode().IsRegular() { // the mode of a link says nothing
		err = temp.Chmod(info.Mode().Perm())
	}
	if err == nil {
		_, err = temp.Write(data)
	}
	if err = errors.Join(err, temp.Sync()); err == nil {
		err = finish(temp, name)
	}
	if err != nil {
		return errors.Join(err, ignoreClosed(temp.Close()), ignoreMissing(os.Remove(temp.Name())))
	}
	return nil
}

var (
	errReadOnly = errors.New("it is read-only: make it writable first")
	errBusy     = errors.New("another run of flux-remedy is writing this file")
)

// openTemp makes and locks a file, also in place of one that was left behind.
func openTemp(name string) (*os.File, error) {
	for range 2 {
		temp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			if lock(temp) && isAt(temp, name) {
				return temp, nil
			}
			return nil, errors.Join(errBusy, temp.Close())
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if err := removeLeft(name); err != nil {
			return nil, err
		}
	}
	return nil, errBusy
}

// removeLeft removes what a process has left behind that was killed.
func removeLeft(name string) error {
	info, err := os.Lstat(name)
	if err != nil {
		return ignoreMissing(err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is in the way: remove it", name)
	}
	left, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return ignoreMissing(err)
	}
	defer left.Close()
	if !lock(left) {
		return errBusy
	}
	if !isAt(left, name) {
		return nil // it was renamed or removed meanwhile
	}
	return ignoreMissing(os.Remove(name))
}

// isAt reports whether an open file still has a name.
func isAt(file *os.File, name string) bool {
	a, err1 := file.Stat()
	b, err2 := os.Lstat(name)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func ignoreClosed(err error) error {
	if errors.Is(err, fs.ErrClosed) {
		return nil
	}
	return err
}

// maxRead is the size in bytes of the largest file of a folder of rules.
const maxRead = 4 << 20

// Folder returns the folder of rules that a user has named. What is no file, as a pipe, and
// what is too large cannot be opened, so that reading it ends.
func Folder(name string) fs.FS { return folder{os.DirFS(name)} }

type folder struct{ fs.FS }

// Open opens a folder or a regular file.
func (f folder) Open(name string) (fs.File, error) {
	info, err := fs.Stat(f.FS, name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("it is no regular file")}
	case info.Size() > maxRead:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("it has more than %d MiB", maxRead>>20)}
	}
	return f.FS.Open(name)
}

// Is reports whether a regular file has that name.
func Is(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// Write writes what a command was asked to write to a file. The file is replaced, where
// a link leads. What cannot be replaced is written to: a pipe or a device, and a file in
// a folder that takes no other.
func Write(name string, data []byte) error {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		real = name
	}
	if info, err := os.Stat(real); err == nil && !info.Mode().IsRegular() {
		return overwrite(real, data)
	}
	err = Replace(real, data)
	if errors.Is(err, errReadOnly) || errors.Is(err, errBusy) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil {
		return overwrite(real, data)
	}
	return nil
}

func overwrite(name string, data []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}
