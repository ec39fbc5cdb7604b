package tree

import (
	"io"
	"os"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
)

// unchanged returns the content of a file of a revision from the disk, and whether it has
// it: the file of that name there is the same to the byte. Most are, and need no object of
// the repository then, which a partial clone may not have.
func unchanged(abs, name string, h git.Hash, limit int64) ([]byte, bool) {
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, false
	}
	defer root.Close()
	name = filepath.FromSlash(name)
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil, false
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, false
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	return data, err == nil && git.BlobHash(data) == h
}
