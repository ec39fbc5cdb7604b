package tree

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

var (
	errNowhere    = errors.New("symbolic link leads nowhere")
	errIgnoreLink = errors.New("symbolic link, which is not followed: what it leaves out is not known")
)

func errOut(target string) error {
	return fmt.Errorf("symbolic link leads out of the tree, to %s: not followed", target)
}

// linkError returns an error for a symbolic link below a folder of the disk if
// it may have led to manifests, but leads nowhere or out of the folder. What it
// leads to inside is read there.
func linkError(root, name string) error {
	target, folder, err := follow(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		if isManifest(name) {
			return err
		}
		return nil
	}
	root, err = filepath.EvalSymlinks(root)
	if err == nil && !within(root, target) && (folder || isManifest(name)) {
		return errOut(target)
	}
	return nil
}

// follow returns where a name of the disk leads to when all symbolic links are
// followed, and whether that is a folder.
func follow(name string) (target string, folder bool, err error) {
	target, err = filepath.EvalSymlinks(name)
	if err != nil {
		return "", false, errNowhere
	}
	info, err := os.Stat(target)
	return target, err == nil && info.IsDir(), nil
}

// within reports whether file is dir or below it. Both are clean.
func within(dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}
