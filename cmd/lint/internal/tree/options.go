package tree

import (
	"fmt"
	"path"

	"github.com/fluxcd/pkg/sourceignore"
)

// Limits of a tree.
const (
	maxFiles = 200_000
	// maxManifest is the largest file that is read as manifests, as yamledit
	// has it.
	maxManifest = 10 << 20
	// maxOpaque is the largest file of another name that is read: the API server
	// takes no larger ConfigMap that could be made of it.
	maxOpaque = 1 << 20
)

// Options say what is left out of a tree, and how large it may be.
type Options struct {
	// Ignore reports whether a file or folder is left out. The path is
	// relative to the root as it was given, with slashes; in the tree around
	// it, paths begin with "../".
	Ignore func(path string) bool
	// MaxFiles is the number of files that a tree may have; zero means 200,000.
	MaxFiles int
	// Keep is true if files may be changed while the tree is in use: all that was read
	// stays in memory.
	Keep bool
}

// ignores reports whether a path is left out of the tree that begins at up,
// seen from the root as it was given. What a .sourceignore says of others always counts.
func (o Options) ignores(up, name string) bool {
	return o.Ignore != nil && path.Base(name) != sourceignore.IgnoreFile && o.Ignore(path.Join(up, name))
}

func (o Options) maxFiles() int {
	if o.MaxFiles > 0 {
		return o.MaxFiles
	}
	return maxFiles
}

// full returns an error if a tree has more files than it may have.
func (o Options) full(root string, files int) error {
	if files <= o.maxFiles() {
		return nil
	}
	return fmt.Errorf("%s holds more than the limit of %d files: name a smaller folder, or leave folders out", root, o.maxFiles())
}
