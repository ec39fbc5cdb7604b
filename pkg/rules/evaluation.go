package rules

import (
	"context"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/metrics"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// evaluation evaluates queries on one input. What the library makes of the input is made once
// for all of them.
type evaluation struct {
	ctx      context.Context
	compiled *compiled
	input    *ast.Term
	cache    topdown.VirtualCache
	cancel   topdown.Cancel
	stop     func() bool
}

// evaluation begins an evaluation of some sections of an input; nothing is begun without any.
func (c *compiled) evaluation(ctx context.Context, input map[string]any, sections []string) (*evaluation, error) {
	e := &evaluation{ctx: ctx, compiled: c}
	if len(sections) == 0 {
		return e, nil
	}
	slices.Sort(sections)
	var pairs [][2]*ast.Term
	for _, name := range slices.Compact(sections) {
		if part, ok := input[name]; ok {
			term, err := termOf(part)
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

func (e *evaluation) end() {
	if e.stop != nil {
		e.stop()
	}
}

// ask returns the answer to a query; nil if it is undefined.
func (e *evaluation) ask(query ast.Body) (*ast.Term, error) { return e.run(e.topdown(query, e.cache)) }

// trace evaluates a query alone, so that tracers see each step of it.
func (e *evaluation) trace(query ast.Body, tracers ...topdown.QueryTracer) (*ast.Term, error) {
	traced := e.topdown(query, topdown.NewVirtualCache()).WithIndexing(false)
	for _, tracer := range tracers {
		traced.WithQueryTracer(tracer)
	}
	return e.run(traced)
}

// topdown returns a query of OPA's evaluator. Without strict errors a builtin that fails
// would be a pass.
func (e *evaluation) topdown(query ast.Body, cache topdown.VirtualCache) *topdown.Query {
	return topdown.NewQuery(query).WithStore(e.compiled.store).WithTransaction(e.compiled.reading).WithInput(e.input).WithVirtualCache(cache).
		WithCancel(e.cancel).WithStrictBuiltinErrors(true).WithMetrics(metrics.NoOp())
}

func (e *evaluation) run(query *topdown.Query) (out *ast.Term, err error) {
	compiler, err := e.compiled.compiler()
	if err != nil {
		return nil, err
	}
	err = query.WithCompiler(compiler).Iter(e.ctx, func(result topdown.QueryResult) error {
		out = result[answerVar]
		return nil
	})
	return out, err
}
