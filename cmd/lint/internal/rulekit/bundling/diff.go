package bundling

import (
	"context"
	"fmt"
	"io/fs"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load/snapshot"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit/ruleset"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Side is one of the two bundles that are compared.
type Side struct {
	Engine *rules.Engine
	Config judge.Configuration
	FS     fs.FS
	// State is what it says of a repository; empty without one.
	State judge.State
}

// Load reads a repository under policies: its tree, and the configuration that holds there.
type Load func(ctx context.Context, policies ruleset.Named, engine *rules.Engine) (*effective.Tree, *rules.Config, error)

// Diff compares two bundles that one of the keys has signed, if there are any, and what they
// say of a repository unless load is nil.
func Diff(ctx context.Context, from, to string, keys []string, load Load) (report.Diff, error) {
	before, err := open(ctx, ruleset.Named{Bundle: from, Keys: keys}, load)
	if err != nil {
		return report.Diff{}, err
	}
	after, err := open(ctx, ruleset.Named{Bundle: to, Keys: keys}, load)
	if err != nil {
		return report.Diff{}, err
	}
	changed := append([]report.PolicyChange{}, changes(before, after)...)
	return report.ComparePolicies("bundle "+from, before.State.Side(judge.Shown{HoldsUp: true}), after.State.Side(judge.Shown{HoldsUp: true})).With(report.Policy{
		InForce: after.Engine.InForce(), Base: before.Engine.InForce(), Changes: changed, Weakened: []report.Finding{},
	}), nil
}

func open(ctx context.Context, policies ruleset.Named, load Load) (side Side, err error) {
	if side.Engine, err = policies.Open(ctx); err != nil {
		return side, err
	}
	side.FS, side.Config = policies.Opened().FS(), judge.Configuration{Config: &rules.Config{}}
	if policies.Trusted("") {
		if side.Config, err = policies.Over(snapshot.Snapshot{}).Config("", "."); err != nil {
			return side, err
		}
	}
	if load == nil {
		side.State.Tree = &effective.Tree{}
		return side, nil
	}
	tree, config, err := load(ctx, policies, side.Engine)
	if err != nil {
		return side, fmt.Errorf("judge by bundle %s: %w", policies.Bundle, err)
	}
	side.State, err = judge.Evaluate(ctx, side.Engine, judge.Configuration{Config: config}, tree, time.Now())
	return side, err
}
