package judge

import (
	"context"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Release is a release with what the engine says of it.
type Release struct {
	*flux.Release
	Verdict rules.Verdict
}

// State is a tree and what the engine says of its releases, in the tree's order.
type State struct {
	Tree     *flux.Tree
	Releases []Release
}

// Evaluate evaluates every release of a tree under a configuration, on all cores.
func Evaluate(ctx context.Context, engine *rules.Engine, config *rules.Config, tree *flux.Tree, now time.Time) (State, error) {
	engine, err := engine.Under(config)
	if err != nil {
		return State{}, err
	}
	s := State{tree, make([]Release, len(tree.Releases))}
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i, r := range tree.Releases {
		workers.Go(func() error {
			verdict, err := engine.Evaluate(ctx, r.Release, now)
			s.Releases[i] = Release{r, verdict}
			return err
		})
	}
	return s, workers.Wait()
}
