package tree

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// source knows the surroundings of a tree.
type source interface {
	// around returns the tree whose root is some folders up.
	around(ctx context.Context, root, up string) (*Tree, error)
}

// disk is the source of a tree that was read from a folder.
type disk struct{ opts Options }

func (d disk) around(ctx context.Context, root, up string) (*Tree, error) {
	return folder(ctx, root, up, d.opts)
}

// Around returns the tree of the Git repository around the root, as the same
// options leave it, and the path of this tree in it. The names of its files
// are relative as the root's is. It returns nil if there is no repository or
// if the root is its top, and for a tree that is no folder of the disk or of a
// revision, such as one made by [Tree.Sub].
func (t *Tree) Around(ctx context.Context) (outer *Tree, inner string, err error) {
	if t.source == nil {
		return nil, "", nil
	}
	top := topOf(t.abs)
	if top == "" || top == t.abs {
		return nil, "", nil
	}
	rel, err := filepath.Rel(top, t.abs)
	if err != nil {
		return nil, "", err
	}
	inner = filepath.ToSlash(rel)
	up := strings.TrimSuffix(strings.Repeat("../", 1+strings.Count(inner, "/")), "/")
	outer, err = t.source.around(ctx, filepath.Join(t.root, filepath.FromSlash(up)), up)
	if outer == nil || err != nil {
		return nil, "", err
	}
	return outer, inner, nil
}

// topOf returns the nearest folder upward that holds .git; "" if none does.
func topOf(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
