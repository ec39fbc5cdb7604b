package tree

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxGitFile is the size up to which a file of a repository's own is read.
const maxGitFile = 1 << 20

// gitDir is where a repository keeps what is its own.
type gitDir struct {
	own    string // of this work tree: its HEAD
	common string // of all work trees: objects, references, configuration
}

// gitDirOf returns the repository of a folder that holds .git: a folder or, for
// a worktree or a submodule, a file that says where it is.
func gitDirOf(top string) (gitDir, error) {
	own := filepath.Join(top, ".git")
	info, err := os.Stat(own)
	if err != nil {
		return gitDir{}, err
	}
	if !info.IsDir() {
		text, err := readIn(top, ".git", maxGitFile)
		if err != nil {
			return gitDir{}, err
		}
		target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
		if !ok {
			return gitDir{}, fmt.Errorf("%s does not say where the repository is", own)
		}
		own = relativeTo(top, target)
	}
	dir := gitDir{own: own, common: own}
	if text, err := readIn(own, "commondir", maxGitFile); err == nil {
		dir.common = relativeTo(own, strings.TrimSpace(string(text)))
	}
	return dir, nil
}

// valid reports whether there is a repository, as git decides it.
func (d gitDir) valid() bool {
	_, err := os.Lstat(filepath.Join(d.own, "HEAD"))
	return err == nil && isFolder(filepath.Join(d.common, "objects")) && isFolder(filepath.Join(d.common, "refs"))
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// relativeTo returns a path that is written in a file of a folder.
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
	defer root.Close() //nolint:errcheck // it was only read
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
	defer file.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(dir, name), errTooLarge)
	}
	return data, err
}
