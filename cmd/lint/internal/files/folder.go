package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

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
