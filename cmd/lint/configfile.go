package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// loadConfig reads the file that --config names or, if it names none, the
// nearest one upward from the first path.
func loadConfig(file string, paths []string) (judge.Configuration, error) {
	if file == "" {
		file = findConfig(paths)
	}
	if file == "" {
		return judge.Configuration{Config: &rules.Config{}}, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return judge.Configuration{}, fmt.Errorf("read configuration: %w", err)
	}
	config, err := rules.ParseConfig(data)
	if err != nil {
		return judge.Configuration{}, fmt.Errorf("read configuration %s: %w", file, err)
	}
	return judge.Configuration{Config: config, File: file, Data: data}, nil
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
