package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
	"github.com/flux-remedy/remedy/pkg/bundle"
)

// bundleOf returns a bundle as a revision has it: nothing if that has none, or if it is
// outside of the repository.
func bundleOf(ctx context.Context, repository *git.Repository, revision *git.Revision, rev, name string) ([]byte, fs.FS, error) {
	at, err := repository.Written(name)
	if errors.Is(err, git.ErrOutside) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	found, ok, err := revision.Lookup(at)
	switch {
	case err != nil || !ok:
		return nil, nil, err
	case found.Kind == git.Folder:
		folder, err := tree.Revision(ctx, repository, rev, name, tree.Options{})
		return nil, folder, err
	case found.Kind != git.File:
		return nil, nil, errors.New("it is neither a file nor a folder of the repository")
	}
	packed, size, err := revision.Blob(found.Hash, bundle.MaxPacked)
	if err == nil && size > bundle.MaxPacked {
		err = fmt.Errorf("it is larger than a bundle may be (%d MiB)", bundle.MaxPacked>>20)
	}
	return packed, nil, err
}
