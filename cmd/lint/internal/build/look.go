package build

import (
	"bytes"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Look is what a search finds in a file.
type Look struct {
	object.Words
	LFS bool // it is kept by Git LFS
	// Waives is true if it may have a comment that waives a rule.
	Waives bool
	Err    error // why it cannot be read

	aliases bool // it may have some
}

func (i *instrumenter) look(f *tree.File) Look {
	return i.looks.Of(f.Hash(), func() Look { return lookAt(f) })
}

func lookAt(f *tree.File) (found Look) {
	data, err := f.Data()
	if found.Err = err; err == nil {
		found.Words, found.LFS = object.WordsOf(data), f.IsLFSPointer()
		found.Waives = bytes.Contains(data, []byte("flux-remedy"))
		found.aliases = kustomize.MayAlias(data)
	}
	return found
}
