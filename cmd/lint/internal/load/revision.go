package load

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// namedConfig returns the configuration in a file that was named, as a revision has it. One
// that is not in the repository is read from the disk; for one that the revision does
// not have yet, it is the configuration that the revision has for a path.
func namedConfig(repository *git.Repository, revision *git.Revision, file, at string) (judge.Configuration, error) {
	name, err := repository.Written(file)
	if errors.Is(err, git.ErrOutside) {
		return ReadConfig(file)
	}
	if err != nil {
		return judge.Configuration{}, fmt.Errorf("read configuration: %w", err)
	}
	data, ok, err := fileIn(revision, name)
	switch {
	case err != nil:
		return judge.Configuration{}, fmt.Errorf("read configuration %s of the revision: %w", file, err)
	case !ok:
		return configIn(repository, revision, at)
	}
	return parse(file, data, true, in(repository, revision))
}

// configIn returns the configuration that a revision has for a path: the
// nearest one upward to the root of the repository.
func configIn(repository *git.Repository, revision *git.Revision, at string) (judge.Configuration, error) {
	folder, err := folderOf(at)
	if err != nil {
		return judge.Configuration{}, err
	}
	dir, err := repository.Path(folder)
	if err != nil {
		return judge.Configuration{}, err
	}
	for {
		file := filepath.Join(folder, rules.ConfigFile)
		data, ok, err := fileIn(revision, path.Join(dir, rules.ConfigFile))
		if err != nil {
			return judge.Configuration{}, fmt.Errorf("read configuration %s of the revision: %w", file, err)
		}
		if ok {
			return parse(file, data, false, in(repository, revision))
		}
		if dir == "." || dir == "" {
			return judge.Configuration{Config: &rules.Config{}}, nil
		}
		dir, folder = path.Dir(dir), filepath.Dir(folder)
	}
}

// in returns what reads the file that a configuration extends, as a revision has it. Outside of
// the repository, it is read from the disk.
func in(repository *git.Repository, revision *git.Revision) func(string) ([]byte, error) {
	return func(file string) ([]byte, error) {
		at, err := repository.Written(file)
		if errors.Is(err, git.ErrOutside) {
			return readFile(file)
		}
		if err != nil {
			return nil, err
		}
		data, ok, err := fileIn(revision, at)
		if err == nil && !ok {
			err = fs.ErrNotExist
		}
		return data, err
	}
}

// fileIn returns the configuration at a path of a revision and reports whether
// there is one. As on disk, a link is followed, but not out of the repository.
func fileIn(revision *git.Revision, at string) (data []byte, ok bool, err error) {
	found, ok, err := revision.Lookup(at)
	if err == nil && ok && found.Kind == git.Link {
		_, found, err = revision.Follow(at)
	}
	switch {
	case err != nil || !ok || found.Kind == git.Folder:
		return nil, false, err
	case found.Kind != git.File:
		return nil, false, errors.New("not a file of the repository")
	}
	data, size, err := revision.Blob(found.Hash, maxSize)
	if err == nil && size > maxSize {
		err = errTooLarge
	}
	return data, true, err
}
