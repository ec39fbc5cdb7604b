package flux

import (
	"context"
	"path"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Input is a tree to be loaded.
type Input struct {
	Files *tree.Tree
	// Below is the folder of the tree whose releases are loaded; "" is all of it.
	Below string
	// AsWritten is true for files that were named one by one: their releases are
	// loaded as they are written.
	AsWritten bool
}

// Open returns the input of a folder: the folder or, if nothing in it can be
// resolved there, the Git repository around it.
func Open(ctx context.Context, files *tree.Tree, builder *build.Builder) (Input, error) {
	entries := fleet.NewIndex(files, builder).Kustomizations()
	if resolves(files, entries, "") {
		return Input{Files: files}, nil
	}
	outer, below, err := files.Around(ctx)
	if err != nil || outer == nil || !resolves(outer, entries, below) {
		return Input{Files: files}, err
	}
	return Input{Files: outer, Below: below}, nil
}

// resolves reports whether a tree is enough to follow the entries, which are the Flux
// Kustomizations below a folder of it: there are none, or spec.path of at least one is a
// folder of the tree.
func resolves(files *tree.Tree, entries []fleet.Written, below string) bool {
	for _, entry := range entries {
		where := strings.TrimPrefix(path.Clean("/"+object.String(entry.Object, "spec", "path")), "/")
		if where == "" {
			continue
		}
		for dir := path.Dir(path.Join(below, entry.Path)); ; dir = path.Dir(dir) {
			if files.IsDir(path.Join(dir, where)) {
				return true
			}
			if dir == "." {
				break
			}
		}
	}
	return len(entries) == 0
}

// With returns the input with some files replaced, by their names.
func (in Input) With(changes map[string][]byte) Input {
	in.Files = changed(in.Files, changes)
	return in
}

// changed returns a tree with some of its files replaced. Names of other trees are ignored.
func changed(files *tree.Tree, changes map[string][]byte) *tree.Tree {
	own := map[string][]byte{}
	for name, data := range changes {
		if at, ok := files.Path(name); ok && files.File(at) != nil {
			own[at] = data
		}
	}
	return files.With(own)
}
