package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// source are the flags that say what is read, the same for every command that
// reads a tree.
type source struct {
	config   string
	clusters []string
	sources  map[string]string
	policies []string
}

func (s *source) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&s.config, "config", "", "configuration `FILE` (default: "+rules.ConfigFile+" found upward from the first path)")
	flags.StringSliceVar(&s.clusters, "cluster", nil, "only clusters whose name matches the `GLOB`; repeatable")
	flags.StringToStringVar(&s.sources, "source", nil, "folder that holds the content of a Flux source, as `KIND/NAMESPACE/NAME=DIR`; repeatable")
	flags.Lookup("source").DefValue = "" // not []
	policyFlag(cmd, &s.policies)
	s.completeClusters(cmd)
}

// load reads the tree that the paths name, under its configuration.
func (s *source) load(ctx context.Context, std streams, engine *rules.Engine, paths []string) (*flux.Tree, judge.Configuration, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	if err := s.check(); err != nil {
		return nil, judge.Configuration{}, err
	}
	config, err := loadConfig(s.config, paths)
	if err != nil {
		return nil, config, err
	}
	if _, err := engine.Under(config.Config); err != nil {
		return nil, config, fmt.Errorf("check configuration %s: %w", config.File, err)
	}
	busy := terminal.StartProgress(std.err, "reading "+strings.Join(paths, ", "))
	defer busy.Stop()
	opts := s.options(paths, config, nil)
	opts.Stdin, opts.Progress = std.in, busy.Show
	tree, err := readTree(ctx, opts)
	return tree, config, err
}

// check refuses flags that would silently select nothing.
func (s *source) check() error {
	for _, glob := range s.clusters {
		if !doublestar.ValidatePattern(glob) {
			return fmt.Errorf("--cluster %s: no valid glob: want a name or a pattern such as 'prod-*'", glob)
		}
	}
	for name, dir := range s.sources {
		if strings.Count(name, "/") != 2 {
			return fmt.Errorf("--source %s=%s: want KIND/NAMESPACE/NAME=DIR, as GitRepository/flux-system/apps=../apps", name, dir)
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("--source %s=%s: no such folder", name, dir)
		}
	}
	return nil
}

// options say what is read, with other content of some files.
func (s *source) options(paths []string, config judge.Configuration, overlay map[string][]byte) flux.Options {
	return flux.Options{
		Paths: paths, Config: config.Config, ConfigDir: config.Dir(), Clusters: s.clusters, Sources: s.sources, Overlay: overlay,
	}
}

// nothing ends a run that has found nothing, and says what may be the cause.
func (s *source) nothing(what string) error {
	if len(s.clusters) > 0 {
		what += " for --cluster " + strings.Join(s.clusters, ",")
	}
	return &exitError{code: exitNothing, err: errors.New(what)}
}

// readTree works out the releases of a tree. All commands read trees here.
func readTree(ctx context.Context, opts flux.Options) (*flux.Tree, error) {
	tree, err := flux.Load(ctx, opts)
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = fmt.Errorf("read %s: %w", failed.Path, failed.Err)
	}
	return tree, err
}

// sourceLines returns a look-up of lines of files, each read once.
func sourceLines() func(file string, line int) (string, bool) {
	files := map[string][]string{}
	return func(file string, line int) (string, bool) {
		lines, read := files[file]
		if !read {
			data, err := os.ReadFile(file)
			if err == nil {
				lines = strings.Split(string(data), "\n")
			}
			files[file] = lines
		}
		if line < 1 || line > len(lines) {
			return "", false
		}
		return strings.TrimRight(lines[line-1], "\r"), true
	}
}
