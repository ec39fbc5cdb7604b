package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// source are the flags that say what is read, the same for every command that
// reads a tree.
type source struct {
	config   string
	clusters []string
	sources  map[string]string
	policies []string

	configDir string // of the configuration that was read last
	past      bool   // a revision is read, of which nothing can be renamed any more
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
func (s *source) load(ctx context.Context, std streams, engine *rules.Engine, paths []string) (*flux.Tree, configuration, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	if err := s.check(); err != nil {
		return nil, configuration{}, err
	}
	config, err := loadConfig(s.config, paths)
	if err != nil {
		return nil, config, err
	}
	noting := std
	if s.past {
		noting.err = io.Discard
	}
	if err := config.check(noting, engine); err != nil {
		return nil, config, err
	}
	s.configDir = ""
	if config.file != "" {
		s.configDir = filepath.Dir(config.file)
	}
	busy := startProgress(std.err, "reading "+strings.Join(paths, ", "))
	defer busy.stop()
	opts := s.options(paths, config.Config, nil)
	opts.Stdin, opts.Progress = std.in, busy.show
	tree, err := flux.Load(ctx, opts)
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = fmt.Errorf("read %s: %w", failed.Path, failed.Err)
	}
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
func (s *source) options(paths []string, config *rules.Config, overlay map[string][]byte) flux.Options {
	return flux.Options{
		Paths: paths, Config: config, ConfigDir: s.configDir, Clusters: s.clusters, Sources: s.sources, Overlay: overlay,
	}
}

// nothing ends a run that has found nothing, and says what may be the cause.
func (s *source) nothing(what string) error {
	if len(s.clusters) > 0 {
		what += " for --cluster " + strings.Join(s.clusters, ",")
	}
	return &exitError{code: exitNothing, err: errors.New(what)}
}
