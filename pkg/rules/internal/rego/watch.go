package rego

import (
	"strings"

	"github.com/open-policy-agent/opa/v1/topdown"
)

// Watch evaluates queries until one fails, and returns the file of the rule that was evaluated last,
// after the number of its source; "" if that cannot be seen.
func (e *Evaluation) Watch(queries []*Query) string {
	seen := &lastFile{}
	for _, query := range queries {
		if _, err := e.trace(query, seen); err != nil {
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
