package judge

import (
	"context"
	"fmt"
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
	// BlockedBy says why the cluster keeps what it has of the release; empty if that is
	// its own fault, or if nothing is known to keep it.
	BlockedBy string
}

// State is a tree and what the engine says of its releases, in the tree's order.
type State struct {
	Tree     *flux.Tree
	Releases []Release
}

// maxRuleTime is how long all rules may take for one release. The built-in ones take
// milliseconds.
const maxRuleTime = 10 * time.Second

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
			verdict, err := evaluate(ctx, engine, r, now)
			s.Releases[i] = Release{Release: r, Verdict: verdict}
			return err
		})
	}
	err = workers.Wait()
	s.addOpen()
	s.holdBack()
	return s, err
}

// evaluate evaluates a release. If its rules do not end, it names the one.
func evaluate(ctx context.Context, engine *rules.Engine, r *flux.Release, now time.Time) (rules.Verdict, error) {
	within, cancel := context.WithTimeout(ctx, maxRuleTime)
	defer cancel()
	verdict, err := engine.Evaluate(within, r.Release, now)
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		return verdict, fmt.Errorf("judge %s: rule %s takes longer than %s for one release", r.ID(), engine.Stuck(ctx, r.Release), maxRuleTime)
	}
	return verdict, err
}
