package tree

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

var errNowhere = errors.New("symbolic link leads nowhere")

func errOut(target string) error {
	return fmt.Errorf("symbolic link leads out of the tree, to %s: not followed", target)
}

// link reports a symbolic link that may have led to manifests, but leads
// nowhere or out of the tree. What it leads to inside is read there.
func (w *walker) link(name string) {
	target, err := filepath.EvalSymlinks(filepath.Join(w.tree.abs, filepath.FromSlash(name)))
	if err != nil {
		if isManifest(name) {
			w.problem(name, errNowhere)
		}
		return
	}
	root, err := filepath.EvalSymlinks(w.tree.abs)
	if err != nil || within(root, target) {
		return
	}
	if info, err := os.Stat(target); err == nil && (info.IsDir() || isManifest(name)) {
		w.problem(name, errOut(target))
	}
}
