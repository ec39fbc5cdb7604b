package main

import (
	"context"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/plain"
)

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
