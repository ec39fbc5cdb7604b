package rules

import (
	"context"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/rego"
)

// watching is how long a query that has not ended in time is watched.
const watching = 500 * time.Millisecond

// Stuck returns the file of the rule that does not end for a release, after the number of
// its source; "" if that cannot be seen. It evaluates the rules once more for half a
// second: to watch them always would take longer than the rules.
func (e *Engine) Stuck(ctx context.Context, r *release.Release) string {
	ctx, cancel := context.WithTimeout(ctx, watching)
	defer cancel()
	input, err := e.inputOf(r)
	if err != nil {
		return ""
	}
	evaluation, err := e.policies.OfAll(ctx, input)
	if err != nil {
		return ""
	}
	defer evaluation.End()
	var queries []*rego.Query
	for _, query := range e.asked(r) {
		queries = append(queries, query)
	}
	return evaluation.Watch(queries)
}
