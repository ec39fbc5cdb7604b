package git

import (
	"fmt"
	"path/filepath"
)

// Written returns the path in the repository of a path of the disk as it is written,
// without following symbolic links of the work tree: a change may have made those. The
// error is ErrOutside if it is not below the repository.
func (r *Repository) Written(at string) (string, error) {
	abs, err := filepath.Abs(at)
	if err != nil {
		return "", err
	}
	top := ""
	for dir := abs; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil && real == r.root {
			top = dir // the outermost: a link of the work tree may lead back to its root
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if top == "" {
		return "", fmt.Errorf("%s %w %s", at, ErrOutside, r.root)
	}
	rel, err := filepath.Rel(top, abs)
	return filepath.ToSlash(rel), err
}

// Unlinked returns an error if a path of the disk leads through a symbolic link of the
// work tree, so that a revision may have something else there.
func (r *Repository) Unlinked(at string) error {
	written, err := r.Written(at)
	if err != nil {
		return nil // it is not in the work tree
	}
	if real, err := r.Path(at); err != nil || real != written {
		return fmt.Errorf("%s leads through a symbolic link, which another revision need not have: name the folder itself", at)
	}
	return nil
}
