package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/configfile"
	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
)

// snapshot is where trees come from: the disk, or a revision of a repository.
// All that commands read of either they read here.
type snapshot struct {
	// open returns the tree that a path names.
	open func(ctx context.Context, path string, opts tree.Options) (*tree.Tree, error)
	// notes is told what has another name now, where that can still be mended.
	notes io.Writer
	// config returns the configuration of a file that was named or, if that is empty,
	// the one that holds for a path.
	config func(named, path string) (judge.Configuration, error)
	// edit changes what has been opened; nil if it stays.
	edit func(flux.Options) (flux.Options, error)
	// rules opens a folder of rules.
	rules func(ctx context.Context, folder string) (fs.FS, error)
}

// onDisk reads the disk, and "-" from standard input.
func onDisk(std streams) snapshot {
	return snapshot{
		notes: std.err,
		open: func(ctx context.Context, path string, opts tree.Options) (*tree.Tree, error) {
			switch info, err := os.Stat(path); {
			case path == "-":
				data, err := std.read()
				return tree.Bytes("-", data), err
			case err != nil:
				return nil, err
			case info.IsDir():
				return tree.Folder(ctx, path, opts)
			}
			return tree.Single(path)
		},
		config: func(named, path string) (judge.Configuration, error) {
			if named != "" {
				return configfile.Read(named)
			}
			return configfile.Find(path)
		},
		rules: func(_ context.Context, folder string) (fs.FS, error) { return os.DirFS(folder), nil },
	}
}

// inRevision reads a revision of the repository around paths; without a
// revision, the one that the work tree departs from. It returns the revision's
// name for people, too.
func inRevision(ctx context.Context, paths []string, rev string) (snapshot, string, error) {
	repository, err := git.Open(paths[0])
	if err != nil {
		return snapshot{}, "", err
	}
	for _, path := range paths {
		if err := repository.Unlinked(path); err != nil {
			return snapshot{}, "", err
		}
	}
	name := rev
	if rev == "" {
		if rev, name, err = repository.Base(ctx); err != nil {
			return snapshot{}, "", err
		}
	}
	revision, err := repository.Revision(rev)
	if err != nil {
		return snapshot{}, "", err
	}
	return snapshot{
		notes: io.Discard,
		open: func(ctx context.Context, path string, opts tree.Options) (*tree.Tree, error) {
			return tree.Revision(ctx, repository, rev, path, opts)
		},
		config: func(named, path string) (judge.Configuration, error) {
			if named != "" {
				return configfile.Named(repository, revision, named, path)
			}
			return configfile.In(repository, revision, path)
		},
		rules: func(ctx context.Context, folder string) (fs.FS, error) {
			if err := repository.Unlinked(folder); err != nil {
				return nil, err
			}
			files, err := tree.Revision(ctx, repository, rev, folder, tree.Options{})
			if errors.Is(err, git.ErrOutside) {
				return os.DirFS(folder), nil
			}
			return files, err
		},
	}, name, nil
}

// inputs opens what paths name.
func (s *source) inputs(ctx context.Context, from snapshot, paths []string, config judge.Configuration) ([]flux.Input, error) {
	var out []flux.Input
	for _, name := range paths {
		files, err := from.open(ctx, name, s.treeOptions(name, config))
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
			return nil, fmt.Errorf("read %s: %w", failed.Path, failed.Err)
		}
		if err != nil {
			return nil, err
		}
		in := flux.Input{Files: files, AsWritten: true}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			if in, err = flux.Open(ctx, files, s.builder); err != nil {
				return nil, err
			}
		}
		out = append(out, in)
	}
	return out, nil
}

// treeOptions leave out what the configuration says, below a root.
func (s *source) treeOptions(root string, config judge.Configuration) tree.Options {
	paths := flux.Options{ConfigDir: config.Dir()}
	return tree.Options{Ignore: func(at string) bool {
		return config.Ignores(paths.ConfigPath(filepath.Join(root, at), at))
	}}
}

// mapped opens the folders that hold the content of Flux sources. One that is not
// in the repository of a revision is read from the disk.
func (s *source) mapped(ctx context.Context, from snapshot, config judge.Configuration, dirs map[string]string) (map[string]*tree.Tree, error) {
	out := map[string]*tree.Tree{}
	for ref, dir := range dirs {
		files, err := from.open(ctx, dir, s.treeOptions(dir, config))
		if errors.Is(err, git.ErrOutside) {
			files, err = tree.Folder(ctx, dir, s.treeOptions(dir, config))
		}
		if err != nil {
			return nil, fmt.Errorf("read %s, the source %s: %w", dir, ref, err)
		}
		out[ref] = files
	}
	return out, nil
}
