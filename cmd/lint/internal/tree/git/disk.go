package git

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Sizes up to which a file of a repository's own is read.
const (
	maxGitFile    = 1 << 20
	maxPackedRefs = 64 << 20 // of a list of references or commits
)

// isFolder reports whether a name leads to a folder.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// resolved returns an absolute path without symbolic links.
func resolved(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// relativeTo joins a folder with a path that a file in it names, which may be
// absolute.
func relativeTo(dir, name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

var errTooLarge = errors.New("too large")

// readIn reads a file below a folder. It follows no symbolic link out of it.
func readIn(dir, name string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", filepath.Join(dir, name))
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(dir, name), errTooLarge)
	}
	return data, err
}
