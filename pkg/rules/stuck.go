package rules

import (
	"context"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"

	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// watching is how long a query that has not ended in time is watched.
const watching = 500 * time.Millisecond

// Stuck returns the file of the rule that does not end for a release, after the number of
// its source; "" if that cannot be seen. It evaluates the rules once more for half a
// second: to watch them always would take longer than the rules.
func (e *Engine) Stuck(ctx context.Context, r *release.Release) string {
	input, err := e.Input(r)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, watching)
	defer cancel()
	seen := &lastFile{}
	_, _ = e.eval(ctx, rego.EvalParsedInput(input), rego.EvalQueryTracer(seen))
	return seen.name
}

// lastFile is a tracer that keeps the file of a rule that was evaluated last.
type lastFile struct{ name string }

// Enabled implements [topdown.QueryTracer].
func (*lastFile) Enabled() bool { return true }

// Config implements [topdown.QueryTracer].
func (*lastFile) Config() topdown.TraceConfig { return topdown.TraceConfig{} }

// TraceEvent implements [topdown.QueryTracer]. The library and the entrypoint are no
// rules.
func (l *lastFile) TraceEvent(event topdown.Event) {
	if at := event.Location; at != nil && at.File != "" && !strings.HasPrefix(at.File, "0/lib/") && at.File != "0/main.rego" {
		l.name = at.File
	}
}
