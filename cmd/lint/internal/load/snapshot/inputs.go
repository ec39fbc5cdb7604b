package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
)

// Inputs opens what paths name, for a builder.
func (s Snapshot) Inputs(ctx context.Context, builder *build.Builder, paths []string, config judge.Configuration) ([]effective.Input, error) {
	var out []effective.Input
	for _, name := range paths {
		files, err := s.Open(ctx, name, TreeOptions(name, config))
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
			return nil, fmt.Errorf("read %s: %w", failed.Path, failed.Err)
		}
		if err != nil {
			return nil, err
		}
		in := effective.Input{Files: files, AsWritten: true}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			if in, err = effective.Open(ctx, files, builder); err != nil {
				return nil, err
			}
		}
		out = append(out, in)
	}
	return out, nil
}

// TreeOptions leave out what the configuration says, below a root.
func TreeOptions(root string, config judge.Configuration) tree.Options {
	paths := effective.Options{ConfigDir: config.Dir()}
	return tree.Options{Ignore: func(at string) bool {
		return config.Ignores(paths.ConfigPath(filepath.Join(root, at), at))
	}}
}

// Sources opens the folders that hold the content of Flux sources. One that is not
// in the repository of a revision is read from the disk.
func (s Snapshot) Sources(ctx context.Context, config judge.Configuration, dirs map[string]string) (map[string]*tree.Tree, error) {
	out := map[string]*tree.Tree{}
	for ref, dir := range dirs {
		files, err := s.Open(ctx, dir, TreeOptions(dir, config))
		if errors.Is(err, git.ErrOutside) {
			files, err = tree.Folder(ctx, dir, TreeOptions(dir, config))
		}
		if err != nil {
			return nil, fmt.Errorf("read %s, the source %s: %w", dir, ref, err)
		}
		out[ref] = files
	}
	return out, nil
}
