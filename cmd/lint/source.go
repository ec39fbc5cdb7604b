package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// source are the flags that say what is read.
type source struct {
	load.Source
	pages string // where the configuration that was read says the pages of rules are
}

func (s *source) register(cmd *cobra.Command) {
	s.Builder = build.NewBuilder()
	flags := cmd.Flags()
	flags.StringVar(&s.Config, "config", "", "configuration `FILE` (default: "+rules.ConfigFile+" found upward from the first path)")
	flags.StringSliceVar(&s.Clusters, "cluster", nil, "only clusters whose name matches the `GLOB`; repeatable")
	flags.StringToStringVar(&s.Sources, "source", nil, "folder that holds the content of a Flux source, as `KIND/NAMESPACE/NAME=DIR`; repeatable")
	flags.Lookup("source").DefValue = "" // not []
	flags.StringSliceVar(&s.Charts, "charts", nil, "render the charts of the tree and those in `DIR`, archives or folders, to say what an uninstall deletes; repeatable")
	flags.StringVar(&s.Rendered, "rendered", "", "what charts give, rendered already: `DIR`/[CLUSTER/]NAMESPACE/NAME.yaml, or a folder NAME of such files")
	flags.BoolVar(&s.Unapplied, "unapplied", false, "also releases that no cluster of the tree applies")
	policyFlags(cmd, &s.Policies)
	usage.CompleteLater(cmd, "cluster", func(ctx context.Context, paths []string) []string { // of the tree that the arguments name
		return s.ClusterNames(ctx, load.Process{}, orHere(paths))
	})
}

// onDisk reads the disk, and "-" from standard input.
func onDisk(std streams) load.Snapshot { return std.process().Disk() }

// orHere returns paths, or the working directory if there are none.
func orHere(paths []string) []string {
	if len(paths) == 0 {
		return []string{"."}
	}
	return paths
}

// nothing ends a run that has found nothing, and says what may be the cause.
func (s *source) nothing(what string) error {
	if len(s.Clusters) > 0 {
		what += " for --cluster " + strings.Join(s.Clusters, ",")
	}
	return &exitError{code: exitNothing, err: errors.New(what)}
}
