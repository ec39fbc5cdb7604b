package policy

import (
	"context"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
)

// alone compares both states under the policy of the base alone, and under the new one alone: as if the policy had changed
// after the change, or before it. It returns nothing if the policy stays, or must not change.
func (c *comparison) alone(ctx context.Context) ([]report.Diff, error) {
	if !c.opts.Allowed || c.base.Engine == c.now.Engine && len(c.settings) == 0 {
		return nil, nil
	}
	after, err := c.nowUnderBase(ctx)
	if err != nil {
		return nil, err
	}
	before, err := c.baseUnderNow(ctx)
	if err != nil {
		return nil, err
	}
	side := func(s judge.State) report.Side {
		out := s.Side(judge.Shown{})
		out.Stood = Stood(c.base.Inputs, c.now.Inputs)
		return out
	}
	return []report.Diff{
		report.Compare("", side(c.base.State), side(after), c.opts.Charge),
		report.Compare("", side(before), side(c.now.State), c.opts.Charge),
	}, nil
}

// nowUnderBase judges the new state by the policy of the base.
func (c *comparison) nowUnderBase(ctx context.Context) (judge.State, error) {
	all := make([]*effective.Release, len(c.tree.Releases))
	for i, r := range c.tree.Releases {
		all[i] = c.standing.as(r)
	}
	state, err := c.judge(ctx, c.base, all)
	if err != nil || state.Tree == nil {
		return judge.State{Tree: c.tree}, err
	}
	tree := *c.tree // what rules leave open differs
	tree.Undetermined = slices.Concat(slices.DeleteFunc(slices.Clone(tree.Undetermined), func(u release.Undetermined) bool { return u.Rules != "" }), state.Tree.Undetermined)
	tree.Resumed = state.Tree.Resumed
	state.Tree = &tree
	return state, nil
}

// baseUnderNow judges the base by the new policy.
func (c *comparison) baseUnderNow(ctx context.Context) (judge.State, error) {
	tree, err := c.opts.RereadBase(c.now.Config)
	if err != nil {
		return judge.State{}, err
	}
	state, err := judge.Evaluate(ctx, c.now.Engine, c.now.Config, tree, c.opts.Now)
	if c.opts.Unwaived {
		state.Unwaive()
	}
	return state, err
}
