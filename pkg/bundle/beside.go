package bundle

import (
	"os"
	"path/filepath"
)

// RootOf returns the folder that a configuration in a folder names files from: the root of the
// repository around it or, outside of a repository, the folder itself. Links are followed.
func RootOf(folder string) (string, error) {
	dir, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	for top := dir; ; top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			return filepath.EvalSymlinks(top)
		}
		if top == filepath.Dir(top) {
			return filepath.EvalSymlinks(dir)
		}
	}
}
