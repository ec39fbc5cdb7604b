package git

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// Repository is a Git repository on disk, of which objects and references are
// read. It is safe for concurrent use.
type Repository struct {
	root    string // of the work tree, without symbolic links
	dir     gitDir
	objects *store
}

// Open returns the repository that holds a path: the one of the nearest .git
// upward. Neither a bare repository in the tree nor the variables
// by which git tells its hooks of a repository are looked at.
func Open(path string) (*Repository, error) {
	start, err := resolved(path)
	if err != nil {
		return nil, err
	}
	if !isFolder(start) {
		start = filepath.Dir(start)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		git, err := gitDirOf(dir)
		switch {
		case err == nil && git.valid():
			return newRepository(dir, git)
		case err == nil && !isFolder(filepath.Join(dir, ".git")):
			return nil, fmt.Errorf("%s leads to %s, which is not a git repository", filepath.Join(dir, ".git"), git.own)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case dir == filepath.Dir(dir):
			return nil, fmt.Errorf("%s is not in a work tree, or %w", path, ErrNoRepository)
		}
	}
}

// ErrOutside says that a path of the disk is not in a repository.
var ErrOutside = errors.New("is not in the repository")

// ErrNoRepository says that there is no repository around a path of the disk.
var ErrNoRepository = errors.New("not a git repository (nor is any of the parent directories)")

func newRepository(root string, dir gitDir) (*Repository, error) {
	config := dir.config()
	if err := understood(config); err != nil {
		return nil, fmt.Errorf("the repository %s %w", root, err)
	}
	objects, err := openStore(filepath.Join(dir.common, "objects"))
	if err != nil {
		return nil, err
	}
	objects.partial = slices.ContainsFunc(config, func(s setting) bool {
		return s.section == "extensions" && s.key == "partialclone" || s.section == "remote" && s.key == "promisor" && s.value == "true"
	})
	objects.border = dir.shallow()
	return &Repository{root: root, dir: dir, objects: objects}, nil
}

// understood returns an error if objects or references are kept in a way that
// is not read here.
func understood(config []setting) error {
	for _, s := range config {
		switch {
		case s.section != "extensions":
		case s.key == "objectformat" && s.value != "sha1":
			return fmt.Errorf("has %s objects, which cannot be read: check the revision out into a folder of its own, and name that", s.value)
		case s.key == "refstorage" && s.value != "files":
			return fmt.Errorf("keeps its references as %s, which cannot be read: run git refs migrate --ref-format=files", s.value)
		}
	}
	return nil
}

// Abs returns the place on disk of a path of the repository. The path may lead
// out of it, and may be absolute.
func (r *Repository) Abs(path string) string { return relativeTo(r.root, path) }

// Path returns the path in the repository of a path of the disk, which must
// exist. The error is ErrOutside if it leads out of the repository.
func (r *Repository) Path(at string) (string, error) {
	abs, err := resolved(at)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(r.root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s %w %s", at, ErrOutside, r.root)
	}
	return filepath.ToSlash(rel), nil
}
