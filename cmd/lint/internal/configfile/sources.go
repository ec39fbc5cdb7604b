package configfile

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
)

// Sources returns the folders that hold the content of Flux sources: those that were named
// on the command line, and those of spec.sources. Unless the configuration itself was named,
// these are in the repository around it, for it may come with a change that nobody has read.
func Sources(config judge.Configuration, named map[string]string, trusted bool) (map[string]string, error) {
	out := map[string]string{}
	for ref, dir := range config.Spec.Sources {
		at := filepath.Join(config.Dir(), filepath.FromSlash(dir))
		if named[ref] != "" {
			continue
		}
		if err := allowed(config.Dir(), at, trusted); err != nil {
			return nil, fmt.Errorf("configuration %s: spec.sources: %s: %s: %w", judge.FromHere(config.File), ref, dir, err)
		}
		out[ref] = judge.FromHere(at)
	}
	maps.Copy(out, named)
	return out, nil
}

// allowed returns why a configuration in a folder may not name another one. Links count
// as what they lead to; a folder that is not there may be in a revision.
func allowed(config, dir string, trusted bool) error {
	if trusted {
		return nil
	}
	top, err := repositoryOf(config)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if rel, err := filepath.Rel(top, dir); err != nil || !filepath.IsLocal(rel) {
		return errors.New("it is outside of the repository: name it on the command line, with --source")
	}
	return nil
}

// repositoryOf returns the root of the repository around a folder, without links; the
// folder itself if there is none.
func repositoryOf(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	top := topOf(dir)
	if _, err := os.Stat(filepath.Join(top, ".git")); err != nil {
		top = dir
	}
	return filepath.EvalSymlinks(top)
}
