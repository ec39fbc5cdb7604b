package effective

import (
	"context"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Input is a tree to be loaded.
type Input struct {
	Files *tree.Tree
	// Below is the folder of the tree that was asked for; "" is all of it. A release is
	// loaded if it concerns the folder: its document, a folder or Kustomization that
	// applies it or something that writes a field of it is in there.
	Below string
	// AsWritten is true for files that were named one by one: their releases are
	// loaded as they are written.
	AsWritten bool

	index *manifests.Index // of Files, if it has been made
}

// Open returns the input of a folder: the folder if the clusters in it can be followed
// there, else the Git repository around it.
func Open(ctx context.Context, files *tree.Tree, builder *build.Builder) (Input, error) {
	index := manifests.NewIndex(files, builder)
	if entries.Contained(index) {
		return Input{Files: files, index: index}, nil
	}
	outer, below, err := files.Around(ctx)
	if err != nil || outer == nil {
		return Input{Files: files, index: index}, err
	}
	return Input{Files: outer, Below: below}, nil
}

// Repository returns the inputs that hold every cluster of the repository that an input
// is from, and those of them that concern the input. The tree of a file's folder is that
// of folder. A file stays an input, as it is written, beside its repository.
func (in Input) Repository(ctx context.Context, folder *tree.Tree) (whole, asked []Input, err error) {
	if in.Below != "" {
		return []Input{in.Whole()}, []Input{in}, nil
	}
	files := in.Files
	if in.AsWritten {
		files = folder
	}
	outer, err := files.Repository(ctx)
	if err != nil || outer == nil {
		return []Input{in}, []Input{in}, err
	}
	around, below := Input{Files: outer}, Input{Files: outer}
	if at, ok := outer.Path(in.name()); ok && at != "." {
		below.Below = at
	}
	if in.AsWritten {
		return []Input{around, in}, []Input{below, in}, nil
	}
	return []Input{around}, []Input{below}, nil
}

// name returns what the input is called: its folder, or its one file.
func (in Input) name() string {
	if in.AsWritten {
		return in.Files.Name(in.Files.Paths()[0])
	}
	return in.Files.Root()
}

// Whole returns the input without the folder that was asked for: all of its tree.
func (in Input) Whole() Input {
	in.Below = ""
	return in
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
