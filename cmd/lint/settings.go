package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// configuration is a configuration file and where it was found. Without one,
// file is empty and the defaults hold.
type configuration struct {
	*rules.Config
	file string
}

// loadConfig reads the file that --config names or, if it names none, the
// nearest one upward from the first path.
func loadConfig(file string, paths []string) (configuration, error) {
	if file == "" {
		file = findConfig(paths)
	}
	if file == "" {
		return configuration{Config: &rules.Config{}}, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return configuration{}, fmt.Errorf("read configuration: %w", err)
	}
	config, err := rules.ParseConfig(data)
	if err != nil {
		return configuration{}, fmt.Errorf("read configuration %s: %w", file, err)
	}
	return configuration{Config: config, file: file}, nil
}

// check holds the configuration to the rules that there are, and says what has
// another name now.
func (c configuration) check(std streams, engine *rules.Engine) error {
	under, err := engine.Under(c.Config)
	if err != nil {
		return fmt.Errorf("check configuration %s: %w", c.file, err)
	}
	for _, note := range under.Notes() {
		fmt.Fprintf(std.err, "flux-remedy: %s: %s\n", relative(c.file), note)
	}
	return nil
}

// findConfig looks for the configuration in the folder of the first path and
// in those above it, up to the root of the Git repository.
func findConfig(paths []string) string {
	dir, err := startFolder(paths)
	if err != nil {
		return ""
	}
	for {
		file := filepath.Join(dir, rules.ConfigFile)
		if _, err := os.Stat(file); err == nil {
			return file
		}
		parent := filepath.Dir(dir)
		if parent == dir || isRepository(dir) {
			return ""
		}
		dir = parent
	}
}

func startFolder(paths []string) (string, error) {
	start := "."
	if len(paths) > 0 && paths[0] != "-" {
		start = paths[0]
	}
	dir, err := filepath.Abs(start)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	return dir, nil
}

func isRepository(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return !errors.Is(err, fs.ErrNotExist)
}
