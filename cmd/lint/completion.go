package main

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/plain"
)

// complete has shells, and the Flux CLI for its plugins, offer values of a flag.
func complete(cmd *cobra.Command, flag string, values []string) {
	offer := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic(err) // the flag is not there
	}
}

// patience is how long a shell waits for what must be read first.
const patience = 5 * time.Second

// completeLater has shells offer values of a flag that must be looked for.
func completeLater(cmd *cobra.Command, flag string, values func(ctx context.Context, args []string) []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), patience)
		defer cancel()
		return values(ctx, args), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag is not there
	}
}

// clusterNames lists the clusters that have a name; none if they cannot be read.
func (s *source) clusterNames(ctx context.Context, paths []string) []string {
	if slices.Contains(paths, "-") {
		return nil
	}
	opts, _, err := s.options(ctx, onDisk(streams{}), orHere(paths))
	if err != nil {
		return nil
	}
	opts.Clusters = nil
	tree, err := flux.Load(ctx, opts)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(tree.ClusterNames(), func(name string) bool { return !plain.Is(name) })
}
