package configfile

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

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

// Check refuses globs of clusters and folders of sources that would silently select nothing.
func Check(clusters []string, sources map[string]string) error {
	for _, glob := range clusters {
		if !doublestar.ValidatePattern(glob) {
			return fmt.Errorf("--cluster %s: no valid glob: want a name or a pattern such as 'prod-*'", glob)
		}
	}
	for name, dir := range sources {
		if strings.Count(name, "/") != 2 {
			return fmt.Errorf("--source %s=%s: want KIND/NAMESPACE/NAME=DIR, as GitRepository/flux-system/apps=../apps", name, dir)
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("--source %s=%s: no such folder", name, dir)
		}
	}
	return nil
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

// Root returns the folder that paths in the configuration of a bundle are relative to: the
// root of the repository around a path, or the path's folder.
func Root(path string) (string, error) {
	dir, err := folderOf(path)
	if err != nil {
		return "", err
	}
	return repositoryOf(dir)
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
