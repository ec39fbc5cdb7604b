package judge

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Release is a release with what the engine says of it.
type Release struct {
	*effective.Release
	Verdict rules.Verdict
	// BlockedBy says why the cluster keeps what it has of the release; empty if that is
	// its own fault, or if nothing is known to keep it.
	BlockedBy string
	// Uninstall says what Flux does to a release that a change removes, and what is lost by that; nil of any other.
	Uninstall *report.Uninstall
	// Resumed is what becomes of a suspended release when it is resumed, with what is found of it now; nil of any other.
	Resumed *Release

	suspended *rules.Verdict // what is found as long as it is suspended, of what becomes of it; nil of any other
}

// State is a tree and what the engine says of its releases, in the tree's order.
type State struct {
	Tree     *effective.Tree
	Releases []Release
	InForce  rules.InForce
	// Rule returns the rule of an id.
	Rule func(id string) (rules.Rule, bool)

	used    map[*effective.Comment]bool  // that waive something
	refused map[*effective.Comment]error // that do not count in the tier of a release
}

// Apart returns the state with findings of its own: what is dropped from one stays in the other.
func (s State) Apart() State {
	s.Releases = slices.Clone(s.Releases)
	for i := range s.Releases {
		s.Releases[i].Verdict.Findings = slices.Clone(s.Releases[i].Verdict.Findings)
	}
	return s
}

func newState(tree *effective.Tree, releases ...Release) *State {
	return &State{Tree: tree, Releases: releases, used: map[*effective.Comment]bool{}, refused: map[*effective.Comment]error{}}
}

// maxRuleTime is how long all rules may take for one release. The built-in ones take
// milliseconds.
const maxRuleTime = 10 * time.Second

// Evaluator evaluates the releases of trees under one configuration.
type Evaluator struct {
	engine *rules.Engine
	config Configuration
	now    time.Time
	most   time.Duration // for one release
}

// NewEvaluator returns an evaluator under a configuration.
func NewEvaluator(engine *rules.Engine, config Configuration, now time.Time) (*Evaluator, error) {
	engine, err := engine.Under(config.Config)
	return &Evaluator{engine: engine, config: config, now: now, most: maxRuleTime}, err
}

// Evaluate evaluates every release of a tree under a configuration, on all cores.
func Evaluate(ctx context.Context, engine *rules.Engine, config Configuration, tree *effective.Tree, now time.Time) (State, error) {
	e, err := NewEvaluator(engine, config, now)
	if err != nil {
		return State{}, err
	}
	return e.Evaluate(ctx, tree)
}

// Evaluate evaluates every release of a tree, on all cores.
func (e *Evaluator) Evaluate(ctx context.Context, tree *effective.Tree) (State, error) {
	s := newState(tree, make([]Release, len(tree.Releases))...)
	s.InForce, s.Rule = e.engine.InForce(), e.engine.Rule
	err := cores.Each(len(tree.Releases), func(i int) error {
		r := &s.Releases[i]
		r.Release = tree.Releases[i]
		var err error
		if r.Verdict, err = e.evaluate(ctx, r.Release); err != nil {
			return err
		}
		if r.Removed {
			r.Uninstall = &report.Uninstall{Deletes: r.Mask(e.engine.Deletes(r.Release.Release))}
		}
		r.Resumed, err = e.resume(ctx, r.Release)
		return err
	})
	if err != nil { // some releases are not there
		return State{}, err
	}
	e.waiveLocally(s)
	s.keepSuspended()
	s.addOpen()
	s.holdBack()
	return *s, nil
}

// Foresee returns a function that evaluates a release as if its object was edited.
func (e *Evaluator) Foresee(ctx context.Context) func(r Release, set []rules.Edit) (Release, error) {
	return func(r Release, set []rules.Edit) (Release, error) {
		r.Release, r.Resumed = r.Edited(set), nil
		verdict, err := e.evaluate(ctx, r.Release)
		r.Verdict = verdict
		s := newState(nil, r)
		e.waiveLocally(s)
		return s.Releases[0], err
	}
}

// evaluate evaluates a release. If its rules do not end, it names the one.
func (e *Evaluator) evaluate(ctx context.Context, r *effective.Release) (rules.Verdict, error) {
	within, cancel := context.WithTimeout(ctx, e.most)
	defer cancel()
	verdict, err := e.engine.Evaluate(within, r.Release, e.now)
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		return verdict, fmt.Errorf("judge %s: %s longer than %s for one release", r.ID(), takes(e.engine.Stuck(ctx, r.Release)), e.most)
	}
	return verdict, err
}

// takes begins what is said of a rule that does not end or, if that is not known, of all.
func takes(rule string) string {
	if rule == "" {
		return "the rules take"
	}
	return "rule " + rule + " takes"
}
