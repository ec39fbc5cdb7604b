// Package load opens what a run reads: trees, the configuration and the rules, from the disk, from standard
// input, or from a revision of a repository. What a configuration names is bounded, and never leads out of
// the repository.
package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// Snapshot is where trees come from: the disk, or a revision of a repository.
// All that commands read of either they read here.
type Snapshot struct {
	// Open returns the tree that a path names.
	Open func(ctx context.Context, path string, opts tree.Options) (*tree.Tree, error)
	// Stream opens one file to be read once, whatever its size; nil in a revision.
	Stream func(path string) (io.ReadCloser, error)
	// Notes is told what has another name now, where that can still be mended.
	Notes io.Writer
	// Config returns the configuration of a file that was named or, if that is empty,
	// the one that holds for a path.
	Config func(named, path string) (judge.Configuration, error)
	// Edit changes what has been opened; nil if it stays.
	Edit func(effective.Options) (effective.Options, error)
	// Rules opens a folder of rules.
	Rules func(ctx context.Context, folder string) (fs.FS, error)
	// Bundle returns the bytes of a bundle, or the folder that it is, as a revision has it;
	// nothing if it has none. Nil on the disk.
	Bundle func(ctx context.Context, name string) (packed []byte, folder fs.FS, err error)
}

// OnDisk reads the disk, and "-" from standard input.
func OnDisk(in io.Reader, notes io.Writer) Snapshot {
	return Snapshot{
		Notes: notes,
		Open: func(ctx context.Context, path string, opts tree.Options) (*tree.Tree, error) {
			switch info, err := os.Stat(path); {
			case path == "-":
				data, err := stdin(in)
				return tree.Bytes("-", data), err
			case err != nil:
				return nil, err
			case info.IsDir():
				return tree.Folder(ctx, path, opts)
			}
			return tree.Single(path)
		},
		Stream: func(path string) (io.ReadCloser, error) {
			if path == "-" {
				return io.NopCloser(in), nil
			}
			return tree.Stream(path)
		},
		Config: func(named, path string) (judge.Configuration, error) {
			if named != "" {
				return ReadConfig(named)
			}
			return FindConfig(path)
		},
		Rules: func(_ context.Context, folder string) (fs.FS, error) { return files.Folder(folder), nil },
	}
}

// Kept returns a snapshot that keeps what is read, whatever becomes of the files.
func (s Snapshot) Kept() Snapshot {
	open := s.Open
	s.Open = func(ctx context.Context, path string, opts tree.Options) (*tree.Tree, error) {
		opts.Keep = true
		return open(ctx, path, opts)
	}
	return s
}

// Trees are those that have been opened, by folder, and what was left out of them.
type Trees struct {
	byFolder map[string]*tree.Tree
	ignored  string
}

// Once returns a snapshot that takes the tree of a folder from known, and opens the folder only if it is not there.
// The caller empties known when files below the folder change. The configuration may stand elsewhere: when it leaves
// out something else, the folder is opened again.
func (s Snapshot) Once(folder string, known *Trees) Snapshot {
	open, config := s.Open, s.Config
	s.Config = func(named, path string) (judge.Configuration, error) {
		found, err := config(named, path)
		if ignored := fmt.Sprintf("%q", append(found.Spec.Ignore, found.Dir())); err == nil && ignored != known.ignored {
			*known = Trees{map[string]*tree.Tree{}, ignored}
		}
		return found, err
	}
	s.Open = func(ctx context.Context, path string, opts tree.Options) (t *tree.Tree, err error) {
		if path != folder {
			return open(ctx, path, opts)
		}
		if t = known.byFolder[folder]; t == nil {
			if t, err = open(ctx, path, opts); err == nil && known.byFolder != nil {
				known.byFolder[folder] = t
			}
		}
		return t, err
	}
	return s
}

// stdin reads standard input, and no more than a file may hold.
func stdin(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, yamledit.MaxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	return data, nil
}

// InRevision reads a revision of the repository around paths; without a
// revision, the one that the work tree departs from. It returns the revision's
// name for people, too.
func InRevision(ctx context.Context, paths []string, rev string) (Snapshot, string, error) {
	repository, err := git.Open(paths[0])
	if err != nil {
		return Snapshot{}, "", err
	}
	for _, path := range paths {
		if err := repository.Unlinked(path); err != nil {
			return Snapshot{}, "", err
		}
	}
	name := rev
	if rev == "" {
		if rev, name, err = repository.Base(ctx); err != nil {
			return Snapshot{}, "", err
		}
	}
	revision, err := repository.Revision(rev)
	if err != nil {
		return Snapshot{}, "", err
	}
	return Snapshot{
		Notes: io.Discard,
		Open: func(ctx context.Context, path string, opts tree.Options) (*tree.Tree, error) {
			return tree.Revision(ctx, repository, rev, path, opts)
		},
		Config: func(named, path string) (judge.Configuration, error) {
			if named != "" {
				return namedConfig(repository, revision, named, path)
			}
			return configIn(repository, revision, path)
		},
		Rules: func(ctx context.Context, folder string) (fs.FS, error) {
			if err := repository.Unlinked(folder); err != nil {
				return nil, err
			}
			was, err := tree.Revision(ctx, repository, rev, folder, tree.Options{})
			if errors.Is(err, git.ErrOutside) {
				return files.Folder(folder), nil
			}
			return was, err
		},
		Bundle: func(ctx context.Context, name string) ([]byte, fs.FS, error) {
			return bundleOf(ctx, repository, revision, rev, name)
		},
	}, name, nil
}
