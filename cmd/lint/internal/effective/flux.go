package effective

import (
	"context"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Load returns every HelmRelease of the inputs, once for each cluster that would
// apply it. It fails only when ctx is done.
func Load(ctx context.Context, opts Options) (*Tree, error) {
	if opts.Builder == nil {
		opts.Builder = build.NewBuilder()
	}
	out := &Tree{Accepting: map[int]bool{}, opts: opts}
	for _, in := range opts.Inputs {
		found, err := resolve(ctx, in, opts)
		if err != nil {
			return nil, err
		}
		l := &loader{opts: opts, in: in, fleet: found, tree: out}
		l.load()
	}
	for _, files := range opts.sources() {
		out.unreadable(files)
	}
	out.comments()
	out.AsWritten = out.folders > 0 && out.entered == 0
	out.sort()
	return out, nil
}

func resolve(ctx context.Context, in Input, opts Options) (*fleet.Fleet, error) {
	if in.AsWritten {
		return fleet.AsWritten(in.Files, opts.Builder), nil
	}
	if in.index == nil || in.index.Files != in.Files || in.index.Builder != opts.Builder {
		in.index = manifests.NewIndex(in.Files, opts.Builder)
	}
	return fleet.Resolve(ctx, in.index, fleet.Options{
		Base:    opts.Base.clusterOf(),
		Sources: opts.Sources, Below: in.Below, Unapplied: opts.Unapplied, Declared: opts.declared(in), Names: opts.Names, Progress: opts.Progress, Asked: opts.asked(in),
		Controller: func(cluster string, installed release.Controller) release.Controller {
			return opts.Config.ControllerAt(rules.Place{Cluster: cluster}, installed)
		},
	})
}

// clusterOf returns what finds a cluster of the tree by its name, and of several the one whose entry
// is in the same file; nil if there is no tree.
func (t *Tree) clusterOf() func(*entries.Cluster) *fleet.Resolved {
	if t == nil {
		return nil
	}
	return func(now *entries.Cluster) *fleet.Resolved {
		var found *fleet.Resolved
		for _, c := range t.clusters {
			if c.Name == now.Name && !c.LeftOver && (found == nil || c.File == now.File && found.File != now.File) {
				found = c
			}
		}
		return found
	}
}
