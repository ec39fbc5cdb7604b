package configfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// maxSize is the size in bytes up to which a configuration is read.
const maxSize = 1 << 20

var errTooLarge = fmt.Errorf("larger than %d MiB", maxSize>>20)

// Read reads the configuration in a file that was named.
func Read(file string) (judge.Configuration, error) {
	opened, err := os.Open(file)
	if err != nil {
		return judge.Configuration{}, fmt.Errorf("read configuration: %w", err)
	}
	return readOpened(file, opened)
}

// Find reads the nearest configuration upward from a path, up to the root
// of the Git repository. A link that leads out of there is an error.
func Find(path string) (judge.Configuration, error) {
	dir, err := folderOf(path)
	if err != nil {
		return judge.Configuration{Config: &rules.Config{}}, nil
	}
	top := topOf(dir)
	for {
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
			return readOpened(file, opened)
		}
		if dir == top {
			return judge.Configuration{Config: &rules.Config{}}, nil
		}
		dir = filepath.Dir(dir)
	}
}

// readOpened reads a configuration and closes its file.
func readOpened(name string, file *os.File) (judge.Configuration, error) {
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return judge.Configuration{}, fmt.Errorf("read configuration: %w", err)
	}
	if !info.Mode().IsRegular() {
		return judge.Configuration{}, fmt.Errorf("read configuration %s: not a regular file", name)
	}
	data, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	if err == nil && len(data) > maxSize {
		err = errTooLarge
	}
	if err == nil {
		data, err = tree.Committed(name, data)
	}
	if err != nil {
		return judge.Configuration{}, fmt.Errorf("read configuration %s: %w", name, err)
	}
	return parse(name, data)
}

func parse(file string, data []byte) (judge.Configuration, error) {
	config, err := rules.ParseConfig(data)
	if err != nil {
		return judge.Configuration{}, fmt.Errorf("read configuration %s: %w", file, err)
	}
	return judge.Configuration{Config: config, File: file, Data: data}, nil
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
