package load

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge/policy"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// Comparison are a run that is compared with a revision, and the revision.
type Comparison struct {
	// Name is that of the revision.
	Name string
	Base policy.Side
	// Now is what was read, judged as a change of the revision.
	Now judge.State

	source  *Source
	from    Snapshot // the revision
	process Process
	paths   []string
	at      time.Time
	now     policy.Side
	was     effective.Options // how the revision was read
	base    *effective.Tree   // the revision
	alone   []report.Diff     // by the policy of each side alone, see [policy.Compare]

	unwaived bool
}

// Compare judges what was read as a revision has it or, if none is given, as it is where HEAD
// departs from the default branch: by the rules and the configuration of that revision.
func (s *Source) Compare(ctx context.Context, p Process, found Loaded, state judge.State, rev string, at time.Time) (*Comparison, error) {
	if slices.Contains(found.paths, "-") {
		return nil, errors.New("standard input has no revision to compare with: give folders or files")
	}
	from, name, err := InRevision(ctx, found.paths, rev)
	if err != nil {
		return nil, err
	}
	_, own, err := s.Policies.In(ctx, p.Disk(), s.Config, found.paths[0])
	if err != nil {
		return nil, err
	}
	then, folders, err := s.Policies.In(ctx, from, s.Config, found.paths[0])
	if err != nil {
		return nil, err
	}
	was := *s
	was.Policies = *then
	engine, err := then.Engine(ctx, found.engine, own, folders)
	if err != nil {
		return nil, err
	}
	before, err := was.Load(ctx, p, engine, from, found.paths)
	if err != nil {
		return nil, err
	}
	found, state, err = s.change(ctx, p, found, state, before.Tree, at)
	if err != nil {
		return nil, err
	}
	found.Tree.Doubt(before.Tree, found.Options)
	policy.Unreadable(before.Tree.Problems, found.Tree.Problems, before.Options.Inputs, found.Options.Inputs)
	base, err := judge.Evaluate(ctx, engine, before.Config, before.Tree, at)
	return &Comparison{
		Name: name, Base: before.side(base, folders, then), Now: state, base: before.Tree,
		source: s, from: from, process: p, paths: found.paths, at: at, now: found.side(state, own, &s.Policies), was: before.Options,
	}, err
}

// change reads and judges what was read once more, as a change of another tree, if it depends on that.
func (s *Source) change(ctx context.Context, p Process, found Loaded, state judge.State, base *effective.Tree, at time.Time) (Loaded, judge.State, error) {
	found.Options.Base = base
	stays := found.Tree.DependsOnBase(base)
	if stays {
		busy := p.Begin("reading what stays on the clusters")
		defer busy.Stop()
		tree, err := effective.Load(ctx, found.Options)
		if err != nil {
			return found, state, err
		}
		found.Tree = tree
	}
	if loses := found.Tree.Loses(base, judge.Former(base, found.Tree)); !stays && !loses {
		return found, state, nil
	}
	state, err := judge.Evaluate(ctx, found.engine, found.Config, found.Tree, at)
	return found, state, err
}

// Unwaive takes waivers for none, in both states.
func (c *Comparison) Unwaive() {
	c.unwaived = true
	c.Base.Unwaive()
	c.Now.Unwaive()
}

// Before returns what is known of the revision, for a comparison.
func (c *Comparison) Before() report.Side {
	side := c.Base.Side(judge.Shown{HoldsUp: true})
	side.Stood, side.Alone = policy.Stood(c.Base.Inputs, c.now.Inputs), c.alone
	return side
}

// Waivers lists the waivers that accept nothing, and that the revision does not have so.
func (c *Comparison) Waivers() []report.Waiver {
	idle := func(side policy.Side) []report.Waiver {
		run := judge.Run{State: side.State, Paths: c.paths, Whole: len(c.source.Clusters) == 0, Now: c.at}
		return slices.DeleteFunc(run.Waivers(side.Config, side.Engine), func(w report.Waiver) bool { return !w.AcceptsNothing() })
	}
	before := idle(c.Base)
	return slices.DeleteFunc(idle(c.now), func(w report.Waiver) bool {
		return slices.ContainsFunc(before, func(was report.Waiver) bool {
			return was.Rule == w.Rule && was.Release == w.Release && was.Until == w.Until && was.State == w.State
		})
	})
}

func (l Loaded) side(state judge.State, folders []policy.Folder, named *Policies) policy.Side {
	return policy.Side{State: state, Config: l.Config, Engine: l.engine, Rules: folders, Signers: named.Signers(), Inputs: l.Options.Inputs}
}

// Policy returns what changes in the policy since the revision. Unless that is allowed,
// the change accepts nothing undetermined that the revision does not accept. If it is, what only the new policy reports of
// both states is not new from then on; with charge, what new releases inherit is.
func (c *Comparison) Policy(ctx context.Context, allowed, charge bool) (report.Policy, error) {
	if !allowed {
		c.was.Confirm(c.now.Tree)
	}
	reread := func(from Snapshot, base *effective.Tree) func(judge.Configuration) (*effective.Tree, error) {
		return func(config judge.Configuration) (*effective.Tree, error) {
			opts, err := c.source.openUnder(ctx, from, c.paths, config)
			if err != nil {
				return nil, err
			}
			opts.Base = base
			return effective.Load(ctx, opts)
		}
	}
	changed, alone, err := policy.Compare(ctx, c.Base, c.now, policy.Options{
		Now: c.at, Allowed: allowed, Charge: charge, Unwaived: c.unwaived,
		Reread: reread(c.process.Disk(), c.base), RereadBase: reread(c.from, nil),
	})
	c.alone = alone
	return changed, err
}
