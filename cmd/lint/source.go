package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/configfile"
	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/ruleset"
	"github.com/flux-remedy/remedy/cmd/lint/internal/snapshot"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// source are the flags that say what is read, the same for every command that
// reads a tree.
type source struct {
	config   string
	clusters []string
	sources  map[string]string
	policies ruleset.Named
	// unapplied asks for what no cluster applies, too.
	unapplied bool

	// lean is true if nobody asks for the values of releases.
	lean bool

	// builder builds all that the command reads.
	builder *build.Builder
}

func (s *source) register(cmd *cobra.Command) {
	s.builder = build.NewBuilder()
	flags := cmd.Flags()
	flags.StringVar(&s.config, "config", "", "configuration `FILE` (default: "+rules.ConfigFile+" found upward from the first path)")
	flags.StringSliceVar(&s.clusters, "cluster", nil, "only clusters whose name matches the `GLOB`; repeatable")
	flags.StringToStringVar(&s.sources, "source", nil, "folder that holds the content of a Flux source, as `KIND/NAMESPACE/NAME=DIR`; repeatable")
	flags.Lookup("source").DefValue = "" // not []
	flags.BoolVar(&s.unapplied, "unapplied", false, "also releases that no cluster of the tree applies")
	policyFlags(cmd, &s.policies)
	usage.CompleteLater(cmd, "cluster", s.clusterNames) // of the tree that the arguments name
}

// loaded is what was read, and how.
type loaded struct {
	tree   *flux.Tree
	config judge.Configuration
	opts   flux.Options
}

// load reads what the paths name, under its configuration.
func (s *source) load(ctx context.Context, std streams, engine *rules.Engine, from snapshot.Snapshot, paths []string) (loaded, error) {
	if err := configfile.Check(s.clusters, s.sources); err != nil {
		return loaded{}, err
	}
	s.beside(std)
	busy := std.begin("reading " + strings.Join(paths, ", "))
	defer busy.Stop()
	opts, config, err := s.options(ctx, from, paths)
	if err != nil {
		return loaded{}, err
	}
	if from.Edit != nil {
		if opts, err = from.Edit(opts); err != nil {
			return loaded{}, err
		}
	}
	if err := ruleset.Check(from.Notes, engine, config); err != nil {
		return loaded{}, err
	}
	opts.Progress = func(what string) {
		busy.Show(what)
		std.watch.Show(what)
	}
	tree, err := flux.Load(ctx, opts)
	return loaded{tree, config, opts}, err
}

// onDisk reads the disk, and "-" from standard input.
func onDisk(std streams) snapshot.Snapshot { return snapshot.OnDisk(std.in, std.err) }

// beside has builds do what must not happen in this process, or not for long.
func (s *source) beside(std streams) {
	s.builder.Step = std.watch.Step
	if std.render != nil {
		s.builder.Render = std.render
	}
}

// options opens what the paths name.
func (s *source) options(ctx context.Context, from snapshot.Snapshot, paths []string) (flux.Options, judge.Configuration, error) {
	config, err := s.policies.Over(from).Config(s.config, paths[0])
	if err != nil {
		return flux.Options{}, config, err
	}
	opts, err := s.optionsUnder(ctx, from, paths, config)
	return opts, config, err
}

// optionsUnder opens what the paths name, as a configuration has it read.
func (s *source) optionsUnder(ctx context.Context, from snapshot.Snapshot, paths []string, config judge.Configuration) (flux.Options, error) {
	inputs, err := from.Inputs(ctx, s.builder, paths, config)
	if err != nil {
		return flux.Options{}, err
	}
	dirs, err := configfile.Sources(config, s.sources, s.policies.Trusted(s.config))
	if err != nil {
		return flux.Options{}, err
	}
	sources, err := from.Sources(ctx, config, dirs)
	return flux.Options{
		Inputs: inputs, Config: config.Config, ConfigDir: config.Dir(), ConfigFile: judge.FromHere(config.File), ConfigLine: config.Line,
		Clusters: s.clusters, Unapplied: s.unapplied, Lean: s.lean, Sources: sources, Builder: s.builder, Now: time.Now(),
	}, err
}

// orHere returns paths, or the working directory if there are none.
func orHere(paths []string) []string {
	if len(paths) == 0 {
		return []string{"."}
	}
	return paths
}

// nothing ends a run that has found nothing, and says what may be the cause.
func (s *source) nothing(what string) error {
	if len(s.clusters) > 0 {
		what += " for --cluster " + strings.Join(s.clusters, ",")
	}
	return &exitError{code: exitNothing, err: errors.New(what)}
}
