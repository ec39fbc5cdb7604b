package rego

import (
	"context"
	"slices"

	"github.com/flux-remedy/remedy/pkg/rules/internal/places"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/metrics"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// Evaluation evaluates queries on one input. What the library makes of the input is made once
// for all of them.
type Evaluation struct {
	ctx      context.Context
	policies *Policies
	input    *ast.Term
	cache    topdown.VirtualCache
	cancel   topdown.Cancel
	stop     func() bool
}

// Evaluation begins an evaluation of some sections of an input; nothing is begun without any. The
// caller ends it.
func (p *Policies) Evaluation(ctx context.Context, input map[string]any, sections []string) (*Evaluation, error) {
	e := &Evaluation{ctx: ctx, policies: p}
	if len(sections) == 0 {
		return e, nil
	}
	slices.Sort(sections)
	var pairs [][2]*ast.Term
	for _, name := range slices.Compact(sections) {
		if part, ok := input[name]; ok {
			term, err := places.TermOf(part)
			if err != nil {
				return nil, err
			}
			pairs = append(pairs, ast.Item(ast.InternedTerm(name), term))
		}
	}
	e.input, e.cache, e.cancel = ast.ObjectTerm(pairs...), topdown.NewVirtualCache(), topdown.NewCancel()
	e.stop = context.AfterFunc(ctx, e.cancel.Cancel)
	return e, nil
}

// OfAll begins an evaluation of a whole input.
func (p *Policies) OfAll(ctx context.Context, input map[string]any) (*Evaluation, error) {
	return p.Evaluation(ctx, input, slices.Clone(p.sections))
}

// End ends it.
func (e *Evaluation) End() {
	if e.stop != nil {
		e.stop()
	}
}

// Err says why the evaluation must not go on; nil if it may.
func (e *Evaluation) Err() error { return e.ctx.Err() }

// Ask returns the answer to a query.
func (e *Evaluation) Ask(query *Query) (Answer, error) {
	return e.run(e.topdown(query, e.cache))
}

// trace evaluates a query alone, so that tracers see each step of it.
func (e *Evaluation) trace(query *Query, tracers ...topdown.QueryTracer) (Answer, error) {
	traced := e.topdown(query, topdown.NewVirtualCache()).WithIndexing(false)
	for _, tracer := range tracers {
		traced.WithQueryTracer(tracer)
	}
	return e.run(traced)
}

// topdown returns a query of OPA's evaluator. Without strict errors a builtin that fails
// would be a pass.
func (e *Evaluation) topdown(query *Query, cache topdown.VirtualCache) *topdown.Query {
	return topdown.NewQuery(query.body).WithStore(e.policies.store).WithTransaction(e.policies.reading).WithInput(e.input).WithVirtualCache(cache).
		WithCancel(e.cancel).WithStrictBuiltinErrors(true).WithMetrics(metrics.NoOp())
}

func (e *Evaluation) run(query *topdown.Query) (out Answer, err error) {
	compiler, err := e.policies.compiler()
	if err != nil {
		return out, err
	}
	err = query.WithCompiler(compiler).Iter(e.ctx, func(result topdown.QueryResult) error {
		out = Answer{result[answerVar]}
		return nil
	})
	return out, err
}
