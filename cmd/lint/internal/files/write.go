package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

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
