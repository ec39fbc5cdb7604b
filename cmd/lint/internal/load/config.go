package load

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// maxSize is the size in bytes up to which a configuration is read.
const maxSize = 1 << 20

var errTooLarge = fmt.Errorf("larger than %d MiB", maxSize>>20)

// ReadConfig reads the configuration in a file that was named.
func ReadConfig(file string) (judge.Configuration, error) {
	opened, err := os.Open(file)
	if err != nil {
		return judge.Configuration{}, fmt.Errorf("read configuration: %w", err)
	}
	return readOpened(file, opened, true)
}

// FindConfig reads the nearest configuration upward from a path, up to the root
// of the Git repository. A link that leads out of there is an error.
func FindConfig(path string) (judge.Configuration, error) {
	dir, err := folderOf(path)
	if err != nil {
		return judge.Configuration{Config: &rules.Config{}}, nil
	}
	top, near := topOf(dir), ""
	for {
		near = cmp.Or(near, nearIn(dir))
		file := filepath.Join(dir, rules.ConfigFile)
		if _, err := os.Lstat(file); err == nil {
			rel, err := filepath.Rel(top, file)
			if err != nil {
				return judge.Configuration{}, err
			}
			opened, err := os.OpenInRoot(top, rel)
			if err != nil {
				return judge.Configuration{}, fmt.Errorf("read configuration %s: %w", file, err)
			}
			config, err := readOpened(file, opened, false)
			if config.Extends == nil || config.Extends.File != judge.FromHere(near) {
				config.Near = near
			}
			return config, err
		}
		if dir == top {
			return judge.Configuration{Config: &rules.Config{}, Near: near}, nil
		}
		dir = filepath.Dir(dir)
	}
}

// nearIn returns the file of a folder that is likely meant to be its configuration and has another name; empty if
// there is none. What begins with no dot may be anything, and says what it is.
func nearIn(dir string) string {
	entries, _ := os.ReadDir(dir)
	spelt := strings.NewReplacer(".", "", "-", "", "_", "", "yml", "yaml")
	for _, entry := range entries {
		name := entry.Name()
		if name == rules.ConfigFile || !entry.Type().IsRegular() || spelt.Replace(strings.ToLower(name)) != "fluxremedyyaml" {
			continue
		}
		file := filepath.Join(dir, name)
		if data, err := readFile(file); err == nil && (name[0] == '.' || bytes.Contains(append([]byte("\n"), data...), []byte("\nkind: "+rules.ConfigKind))) {
			return file
		}
	}
	return ""
}

// readOpened reads a configuration, and the one that it extends, and closes its file.
func readOpened(name string, file *os.File, trusted bool) (judge.Configuration, error) {
	data, err := contentOf(name, file)
	if err != nil {
		return judge.Configuration{}, fmt.Errorf("read configuration %s: %w", name, err)
	}
	return parse(name, data, trusted, readFile)
}

// readFile reads a file on the disk as Git would commit it.
func readFile(name string) ([]byte, error) {
	opened, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return contentOf(name, opened)
}

// contentOf reads a file as Git would commit it, and closes it.
func contentOf(name string, file *os.File) ([]byte, error) {
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	if err == nil && len(data) > maxSize {
		err = errTooLarge
	}
	if err != nil {
		return nil, err
	}
	return tree.Committed(name, data)
}

// parse parses a configuration over the file that it extends, if it does. One that is trusted may
// extend a file outside of its repository.
func parse(file string, data []byte, trusted bool, read func(other string) ([]byte, error)) (judge.Configuration, error) {
	config, err := rules.ParseConfig(data)
	if err != nil {
		return judge.Configuration{}, fmt.Errorf("read configuration %s: %w", file, err)
	}
	out := judge.Configuration{Config: config, File: file, Data: data}
	if config.Spec.Extends == "" || config.Spec.ExtendsBundle() {
		return out, nil
	}
	return extended(out, trusted, read)
}

func extended(config judge.Configuration, trusted bool, read func(other string) ([]byte, error)) (judge.Configuration, error) {
	named := config.Spec.Extends
	file, err := beside(config, named, trusted)
	if err != nil {
		return config, fmt.Errorf("configuration %s: spec.extends: %s: %w", config.File, named, err)
	}
	data, err := read(file)
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err
	}
	if err != nil {
		return config, fmt.Errorf("configuration %s: spec.extends: read %s: %w", config.File, named, err)
	}
	return over(config, judge.Configuration{File: file, Data: data})
}

// over returns a configuration over the one that it extends.
func over(config, other judge.Configuration) (judge.Configuration, error) {
	merged, err := rules.Extend(config.Data, other.Data)
	if err != nil {
		return config, fmt.Errorf("configuration %s, which extends %s: %w", config.File, other.File, err)
	}
	config.Config, config.Extends = merged, &other
	return config, nil
}

// folderOf returns the folder that a path names, or that its file is in, as an
// absolute path. Standard input is in the working directory.
func folderOf(path string) (string, error) {
	if path == "-" {
		path = "."
	}
	dir, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	return dir, nil
}

// topOf returns the root of the repository around a folder, or of the disk.
func topOf(dir string) string {
	for {
		parent := filepath.Dir(dir)
		if _, err := os.Stat(filepath.Join(dir, ".git")); parent == dir || !errors.Is(err, fs.ErrNotExist) {
			return dir
		}
		dir = parent
	}
}
