package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// FileSystem returns the tree as kustomize's file system, with its root at an
// absolute path, such as "/tree". Nothing else exists in it, and nothing can be
// written. It answers as kustomize's file system on disk would.
func (t *Tree) FileSystem(mount string) filesys.FileSystem {
	return &mounted{tree: t, at: path.Clean("/" + filepath.ToSlash(mount))}
}

// mounted is a tree at an absolute path. Its own names have the separators of
// the system, because kustomize joins them with path/filepath.
type mounted struct {
	tree *Tree
	at   string
}

// inside returns the path in the tree. It returns false if a name is not below
// the mount.
func (m *mounted) inside(name string) (string, bool) {
	if name == "" {
		return "", false
	}
	name = path.Clean(filepath.ToSlash(name))
	if name == m.at {
		return ".", true
	}
	return strings.CutPrefix(name, strings.TrimSuffix(m.at, "/")+"/")
}

func (m *mounted) outside(name string) string {
	return filepath.FromSlash(path.Join(m.at, name))
}

// missing returns the error of the disk for a name that does not exist.
func (m *mounted) missing(op, name string) error {
	inner, ok := m.inside(name)
	for dir := path.Dir(inner); ok && dir != "."; dir = path.Dir(dir) {
		if m.tree.files[dir] != nil {
			return &fs.PathError{Op: op, Path: name, Err: syscall.ENOTDIR}
		}
	}
	return &fs.PathError{Op: op, Path: name, Err: syscall.ENOENT}
}

func (m *mounted) Open(name string) (filesys.File, error) {
	inner, ok := m.inside(name)
	if !ok || !m.Exists(name) {
		return nil, m.missing("open", name)
	}
	file, err := m.tree.Open(inner)
	if err != nil {
		return nil, err
	}
	return file.(filesys.File), nil
}

func (m *mounted) ReadFile(name string) ([]byte, error) {
	inner, ok := m.inside(name)
	switch {
	case ok && m.tree.IsDir(inner):
		return nil, &fs.PathError{Op: "read", Path: name, Err: syscall.EISDIR}
	case !ok || m.tree.files[inner] == nil:
		return nil, m.missing("open", name)
	}
	data, err := m.tree.files[inner].Data()
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return append([]byte{}, data...), nil
}

func (m *mounted) ReadDir(name string) ([]string, error) {
	inner, ok := m.inside(name)
	if !ok || !m.tree.IsDir(inner) {
		return nil, m.missing("open", name)
	}
	out := make([]string, 0, len(m.tree.dirs[inner]))
	for _, held := range m.tree.dirs[inner] {
		out = append(out, path.Base(held))
	}
	return out, nil
}

func (m *mounted) IsDir(name string) bool {
	inner, ok := m.inside(name)
	return ok && m.tree.IsDir(inner)
}

func (m *mounted) Exists(name string) bool {
	inner, ok := m.inside(name)
	return ok && (m.tree.IsDir(inner) || m.tree.files[inner] != nil)
}

// CleanedAbs splits a name into a folder and a file of it, as those on disk do,
// errors included: kustomize shows them to the user.
func (m *mounted) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	inner, ok := m.inside(name)
	switch {
	case ok && m.tree.IsDir(inner):
		return filesys.ConfirmedDir(m.outside(inner)), "", nil
	case ok && m.tree.files[inner] != nil:
		return filesys.ConfirmedDir(m.outside(path.Dir(inner))), path.Base(inner), nil
	}
	return "", "", fmt.Errorf("evalsymlink failure on '%s' : %w", name, m.unresolved(name))
}

// unresolved returns why a name cannot be resolved, by the first part of it
// that is missing.
func (m *mounted) unresolved(name string) error {
	inner, ok := m.inside(name)
	if !ok {
		return m.missing("lstat", filepath.Clean(name))
	}
	for i, r := range inner + "/" {
		if r == '/' && m.tree.files[inner[:i]] != nil {
			return syscall.ENOTDIR
		}
		if r == '/' && !m.tree.IsDir(inner[:i]) {
			return m.missing("lstat", m.outside(inner[:i]))
		}
	}
	return m.missing("lstat", name)
}

// Glob implements the file system as path/filepath's function does. Hidden
// files match only a pattern that is hidden itself.
func (m *mounted) Glob(pattern string) ([]string, error) {
	if _, err := path.Match(filepath.ToSlash(pattern), ""); err != nil {
		return nil, err
	}
	inner, ok := m.inside(pattern)
	if !ok {
		return nil, nil
	}
	found, err := fs.Glob(m.tree, inner)
	if err != nil {
		return nil, err
	}
	for i, name := range found {
		found[i] = m.outside(name)
	}
	if !filesys.IsHiddenFilePath(pattern) {
		found = filesys.RemoveHiddenFiles(found)
	}
	slices.Sort(found)
	return found, nil
}

func (m *mounted) Walk(name string, walk filepath.WalkFunc) error {
	inner, ok := m.inside(name)
	if !ok || !m.Exists(name) {
		err := walk(name, nil, m.missing("lstat", name))
		if errors.Is(err, fs.SkipDir) || errors.Is(err, fs.SkipAll) {
			return nil
		}
		return err
	}
	return fs.WalkDir(m.tree, inner, func(name string, entry fs.DirEntry, err error) error {
		var found fs.FileInfo
		if err == nil {
			found, err = entry.Info()
		}
		if name == "." {
			found = info{name: path.Base(m.at)}
		}
		return walk(m.outside(name), found, err)
	})
}

func (m *mounted) Create(string) (filesys.File, error) { return nil, errReadOnly }
func (m *mounted) Mkdir(string) error                  { return errReadOnly }
func (m *mounted) MkdirAll(string) error               { return errReadOnly }
func (m *mounted) RemoveAll(string) error              { return errReadOnly }
func (m *mounted) WriteFile(string, []byte) error      { return errReadOnly }
