package load

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
	"github.com/flux-remedy/remedy/pkg/bundle"
)

// sourcesOf returns the folders that hold the content of Flux sources: those that were named
// on the command line, and those of spec.sources. Unless the configuration itself was named,
// these are in the repository around it, for it may come with a change that nobody has read.
func sourcesOf(config judge.Configuration, named map[string]string, trusted bool) (map[string]string, error) {
	out := map[string]string{}
	for ref, dir := range config.Spec.Sources {
		at := filepath.Join(config.Dir(), filepath.FromSlash(dir))
		if named[ref] != "" {
			continue
		}
		if err := allowed(config.Dir(), at, trusted); errors.Is(err, errOutside) {
			return nil, fmt.Errorf("configuration %s: spec.sources: %s: %s: %w: name it on the command line, with --source", judge.FromHere(config.File), ref, dir, err)
		} else if err != nil {
			return nil, fmt.Errorf("configuration %s: spec.sources: %s: %s: %w", judge.FromHere(config.File), ref, dir, err)
		}
		out[ref] = judge.FromHere(at)
	}
	maps.Copy(out, named)
	return out, nil
}

var errOutside = errors.New("it is outside of the repository")

// checkArguments refuses globs of clusters and folders of sources that would silently select nothing.
func checkArguments(clusters []string, sources map[string]string) error {
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

// beside returns the path of a file or folder that a configuration names, from the root of the
// repository around it. Unless the configuration itself was named, it must be in there.
func beside(config judge.Configuration, named string, trusted bool) (string, error) {
	root, err := bundle.RootOf(filepath.Dir(config.File))
	if err != nil {
		return "", err
	}
	at := filepath.FromSlash(named)
	if !filepath.IsAbs(at) {
		fromFile, _ := filepath.Abs(filepath.Join(filepath.Dir(config.File), at))
		rel, err := filepath.Rel(root, fromFile)
		if at = filepath.Join(root, at); err == nil && !filepath.IsLocal(named) && filepath.IsLocal(rel) && !exists(at) && exists(fromFile) {
			return "", fmt.Errorf("it is relative to the root of the repository: write %s", filepath.ToSlash(rel))
		}
	}
	return judge.FromHere(at), allowed(root, at, trusted)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// allowed returns why a configuration in a folder may not name another one. Links count
// as what they lead to; a folder that is not there may be in a revision.
func allowed(config, dir string, trusted bool) error {
	if trusted {
		return nil
	}
	top, err := bundle.RootOf(config)
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
		return errOutside
	}
	return nil
}

// rootOf returns the folder that paths in the configuration of a bundle are relative to: the
// root of the repository around a path, or the path's folder.
func rootOf(path string) (string, error) {
	dir, err := folderOf(path)
	if err != nil {
		return "", err
	}
	return bundle.RootOf(dir)
}
