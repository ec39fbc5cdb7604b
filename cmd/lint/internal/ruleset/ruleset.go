// Package ruleset compiles the rules of a run: the built-in ones and those of folders,
// under a configuration.
package ruleset

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/flux-remedy/remedy/cmd/lint/internal/configfile"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/policy"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// Open compiles the built-in policies and those of folders, which --policy names.
func Open(ctx context.Context, folders []string) (*rules.Engine, error) {
	var opened []policy.Folder
	for _, folder := range folders {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("--policy %s: no such folder", folder)
		}
		opened = append(opened, policy.Folder{Name: folder, FS: os.DirFS(folder)})
	}
	return Compile(ctx, opened)
}

// Compile compiles the built-in policies and those of folders.
func Compile(ctx context.Context, folders []policy.Folder) (*rules.Engine, error) {
	sources := []fs.FS{policies.FS}
	for _, folder := range folders {
		sources = append(sources, folder)
	}
	return rules.New(ctx, sources...)
}

// Check holds a configuration to the rules that there are, and notes what has another
// name now.
func Check(notes io.Writer, engine *rules.Engine, config judge.Configuration) error {
	under, err := engine.Under(config.Config)
	if err != nil {
		return fmt.Errorf("check configuration %s: %w", config.File, err)
	}
	for _, note := range under.Notes() {
		fmt.Fprintln(notes, plain.Line("flux-remedy: "+judge.FromHere(config.File)+": "+note))
	}
	return nil
}

// Configured reads a configuration, by default the one found upward from the working
// directory, and compiles the rules under it.
func Configured(ctx context.Context, notes io.Writer, file string, folders []string) (judge.Configuration, *rules.Engine, error) {
	read := configfile.Read
	if file == "" {
		file, read = ".", configfile.Find
	}
	config, err := read(file)
	if err != nil {
		return config, nil, err
	}
	engine, err := Open(ctx, folders)
	if err != nil {
		return config, nil, err
	}
	if err := Check(notes, engine, config); err != nil {
		return config, nil, err
	}
	engine, err = engine.Under(config.Config)
	return config, engine, err
}
