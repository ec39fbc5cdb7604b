package rules

import (
	"context"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/places"
	"github.com/flux-remedy/remedy/pkg/rules/internal/rego"
)

// Explanation is what a rule sees of a release, and what becomes of each line of its Rego.
type Explanation struct {
	// Saw are the parts of the input that it asks for, in the order of their names.
	Saw []Seen
	// Lines says of the lines of its file that were reached, by number, whether they were
	// so at least once.
	Lines map[int]bool
	// Findings are those of the rule alone, before other rules may silence it.
	Findings []Finding
}

// Seen is a part of the input.
type Seen = rego.Seen

// Explain evaluates one rule for a release, and says how it went. The engine must have
// compiled the rule: prepared policies have no lines.
func (e *Engine) Explain(ctx context.Context, rule Rule, r *release.Release) (*Explanation, error) {
	input, err := e.inputOf(r)
	if err != nil {
		return nil, err
	}
	evaluation, err := e.policies.OfAll(ctx, input)
	if err != nil {
		return nil, err
	}
	defer evaluation.End()
	var params []places.Place
	for name := range rule.Params {
		params = append(params, places.Place{"params", rule.ID, name})
	}
	course, err := evaluation.Explain(e.queryOf(rule.ID), rule.Origin, params)
	if err != nil {
		return nil, err
	}
	all, err := reportsOf(&rule, course.Answer)
	if err != nil {
		return nil, err
	}
	verdict, err := e.verdict(told{report: all}, r)
	return &Explanation{course.Saw, course.Lines, verdict.Findings}, err
}
