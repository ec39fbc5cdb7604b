package tree

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
)

// Around returns the tree of the Git repository around the root, as the same
// options leave it, and the path of this tree in it. The names of its files
// are relative as the root's is. It returns nil if there is no repository or
// if the root is its top, and for a tree that is no folder of the disk or of a
// revision, such as one made by [Tree.Sub].
func (t *Tree) Around(ctx context.Context) (outer *Tree, inner string, err error) {
	if t.outward == nil {
		return nil, "", nil
	}
	top := git.Top(t.abs)
	if top == "" || top == t.abs {
		return nil, "", nil
	}
	rel, err := filepath.Rel(top, t.abs)
	if err != nil {
		return nil, "", err
	}
	inner = filepath.ToSlash(rel)
	up := strings.TrimSuffix(strings.Repeat("../", 1+strings.Count(inner, "/")), "/")
	outer, err = t.outward(ctx, filepath.Join(t.root, filepath.FromSlash(up)), up)
	if outer == nil || err != nil {
		return nil, "", err
	}
	return outer, inner, nil
}

// Repository returns the tree of the Git repository that the root is in, as Around does,
// and also if the root is its top. It returns nil outside of a repository.
func (t *Tree) Repository(ctx context.Context) (*Tree, error) {
	if t.outward != nil && git.Top(t.abs) == t.abs {
		return t, nil
	}
	outer, _, err := t.Around(ctx)
	return outer, err
}

// Remotes returns the URLs of the remotes that the configuration of the Git
// repository around the root lists; nil outside of one.
func (t *Tree) Remotes() []string {
	if t.abs == "" {
		return nil
	}
	return git.Remotes(t.abs)
}
