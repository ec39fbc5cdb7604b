package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
	"github.com/flux-remedy/remedy/pkg/bundle"
	"k8s.io/apimachinery/pkg/util/validation"
)

// Inputs opens what paths name, for a builder.
func (s Snapshot) Inputs(ctx context.Context, builder *build.Builder, paths []string, config judge.Configuration) ([]effective.Input, error) {
	var out []effective.Input
	for _, name := range paths {
		files, err := s.Open(ctx, name, TreeOptions(name, config))
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
			return nil, fmt.Errorf("read %s: %w%s", failed.Path, failed.Err, noRelease(failed))
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

// noRelease says how a release is named, where a path that is not there may be meant as one.
func noRelease(failed *fs.PathError) string {
	namespace, name, _ := strings.Cut(failed.Path, "/")
	if _, err := os.Stat(namespace); err == nil || !errors.Is(failed.Err, fs.ErrNotExist) {
		return ""
	}
	if len(validation.IsDNS1123Label(namespace))+len(validation.IsDNS1123Subdomain(name)) > 0 {
		return ""
	}
	return fmt.Sprintf("; PATH is a file or folder, and \"flux-remedy render --release %s\" shows a release", failed.Path)
}

// TreeOptions leave out what the configuration says, below a root.
func TreeOptions(root string, config judge.Configuration) tree.Options {
	if len(config.Spec.Ignore) == 0 {
		return tree.Options{}
	}
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

// Unsaved is the file that an editor has not saved: its content comes from standard
// input.
type Unsaved struct {
	Path string // empty if there is none
	Name string // as reports call it, once it is read
	// Whole is true if it also matters what is found of releases that have nothing to do with the file.
	Whole bool
}

// Around returns the folder that is judged instead of standard input: the working
// directory, or that of a file elsewhere.
func (u *Unsaved) Around(paths []string) ([]string, error) {
	switch {
	case u.Path == "":
		return paths, nil
	case !slices.Equal(paths, []string{"-"}):
		return nil, errors.New("--stdin-path: the file is read from standard input: want --stdin-path FILE -")
	}
	if here, err := filepath.Abs("."); err == nil {
		at, err := filepath.Abs(u.Path)
		if rel, err2 := filepath.Rel(here, at); errors.Join(err, err2) == nil && filepath.IsLocal(rel) {
			return []string{"."}, nil
		}
	}
	return []string{filepath.Dir(u.Path)}, nil
}

// On returns what is read: the disk, with the file as standard input has it.
func (u *Unsaved) On(disk Snapshot, in io.Reader) (Snapshot, error) {
	if u.Path == "" {
		return disk, nil
	}
	data, err := stdin(in)
	disk.Edit = func(opts effective.Options) (edited effective.Options, err error) {
		var found bool
		if edited, u.Name, found = opts.Edit(u.Path, data); !found {
			err = fmt.Errorf("--stdin-path %s: no such file is read: it is not saved yet, or ignored", u.Path)
		}
		if !u.Whole && opts.Config.Spec.Baseline == "" && u.Name != opts.ConfigFile {
			edited.Only = u.Name
		}
		return edited, err
	}
	return disk, err
}
