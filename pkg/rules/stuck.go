package rules

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"

	"github.com/open-policy-agent/opa/v1/topdown"
)

// watching is how long a query that has not ended in time is watched.
const watching = 500 * time.Millisecond

// Stuck returns the file of the rule that does not end for a release, after the number of
// its source; "" if that cannot be seen. It evaluates the rules once more for half a
// second: to watch them always would take longer than the rules.
func (e *Engine) Stuck(ctx context.Context, r *release.Release) string {
	ctx, cancel := context.WithTimeout(ctx, watching)
	defer cancel()
	seen := &lastFile{}
	input, err := e.inputOf(r)
	if err != nil {
		return ""
	}
	evaluation, err := e.evaluation(ctx, input, slices.Clone(sectionNames))
	if err != nil {
		return ""
	}
	defer evaluation.end()
	for question := range e.asked(r) {
		if _, err := evaluation.trace(question.query, seen); err != nil {
			break
		}
	}
	return seen.name
}

// lastFile is a tracer that keeps the file of a rule that was evaluated last.
type lastFile struct{ name string }

// Enabled implements [topdown.QueryTracer].
func (*lastFile) Enabled() bool { return true }

// Config implements [topdown.QueryTracer].
func (*lastFile) Config() topdown.TraceConfig { return topdown.TraceConfig{} }

// TraceEvent implements [topdown.QueryTracer]. The library is no rule.
func (l *lastFile) TraceEvent(event topdown.Event) {
	if at := event.Location; at != nil && at.File != "" && !strings.HasPrefix(at.File, "0/lib/") {
		l.name = at.File
	}
}
