package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/policy"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/snapshot"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// comparison are a run that is compared with a revision, and the revision.
type comparison struct {
	*source
	std       streams
	paths     []string
	at        time.Time
	now, base policy.Side
	// name is that of the revision, and was how it was read.
	name string
	was  flux.Options
}

// compared judges what the paths held in a revision or, if none is given, where HEAD
// departs from the default branch: by the rules and the configuration of that revision.
func (s *source) compared(ctx context.Context, std streams, engine *rules.Engine, found loaded, state judge.State, paths []string, rev string, at time.Time) (*comparison, error) {
	if slices.Contains(paths, "-") {
		return nil, errors.New("standard input has no revision to compare with: give folders or files")
	}
	from, name, err := snapshot.InRevision(ctx, paths, rev)
	if err != nil {
		return nil, err
	}
	_, own, err := s.policies.In(ctx, onDisk(std))
	if err != nil {
		return nil, err
	}
	then, folders, err := s.policies.In(ctx, from)
	if err != nil {
		return nil, err
	}
	was := *s
	was.policies = *then
	c := &comparison{source: s, std: std, paths: paths, at: at, name: name, now: sideOf(engine, own, found, state)}
	if engine, err = then.Engine(ctx, engine, own, folders); err != nil {
		return nil, err
	}
	before, err := was.load(ctx, std, engine, from, paths)
	if err != nil {
		return nil, err
	}
	c.was = before.opts
	found.tree.Doubt(before.tree, found.opts)
	state, err = judge.Evaluate(ctx, engine, before.config.Config, before.tree, at)
	c.base = sideOf(engine, folders, before, state)
	return c, err
}

func sideOf(engine *rules.Engine, folders []policy.Folder, found loaded, state judge.State) policy.Side {
	return policy.Side{State: state, Config: found.config, Engine: engine, Rules: folders, Inputs: found.opts.Inputs}
}

// policy returns what changes in the policy since the revision. Unless that is allowed,
// the change accepts nothing undetermined that the revision does not accept.
func (c *comparison) policy(ctx context.Context, allowed, unwaived bool) (report.Policy, error) {
	if !allowed {
		c.was.Confirm(c.now.Tree)
	}
	return policy.Compare(ctx, c.base, c.now, policy.Options{
		Now: c.at, Allowed: allowed, Unwaived: unwaived,
		Reread: func(config judge.Configuration) (*flux.Tree, error) {
			opts, err := c.optionsUnder(ctx, onDisk(c.std), c.paths, config)
			if err != nil {
				return nil, err
			}
			return flux.Load(ctx, opts)
		},
	})
}
