package rules

import (
	"context"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
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
type Seen struct {
	// Path is what the rule asks for, as input.effective.timeout.
	Path string `json:"path"`
	// Value is as Rego writes it; absent if it is not there.
	Value string `json:"value,omitempty"`
}

// Explain evaluates one rule for a release, and says how it went. The engine must have
// compiled the rule: prepared policies have no lines.
func (e *Engine) Explain(ctx context.Context, rule Rule, r *release.Release) (*Explanation, error) {
	input, err := e.inputOf(r)
	if err != nil {
		return nil, err
	}
	evaluation, err := e.evaluation(ctx, input, slices.Clone(sectionNames))
	if err != nil {
		return nil, err
	}
	defer evaluation.end()
	lines := &lineTracer{rule.Origin, map[int]map[ast.Node]attempts{}}
	seen := e.newReadTracer(nil)
	term, err := evaluation.trace(e.question(rule).query, lines, seen)
	if err != nil {
		return nil, err
	}
	all, err := reportsOf(rule, term)
	if err != nil {
		return nil, err
	}
	verdict, err := e.verdict(told{report: all}, r)
	return &Explanation{seenIn(evaluation.input.Value, rule, seen.places), lines.held(), verdict.Findings}, err
}

// lineTracer counts what becomes of the expressions of a file.
type lineTracer struct {
	of    Origin
	lines map[int]map[ast.Node]attempts
}

// attempts count how often an expression was tried, and how often it was not so.
type attempts struct{ tried, failed int }

func (t *lineTracer) Enabled() bool { return true }

func (t *lineTracer) Config() topdown.TraceConfig { return topdown.TraceConfig{} }

// TraceEvent implements [topdown.QueryTracer]. A rule is tried at its head, and holds where
// it is left with a result.
func (t *lineTracer) TraceEvent(event topdown.Event) {
	_, rule := event.Node.(*ast.Rule)
	_, expression := event.Node.(*ast.Expr)
	var change attempts
	switch {
	case event.Op == topdown.EvalOp && expression:
		change.tried = 1
	case event.Op == topdown.FailOp && expression:
		change.failed = 1
	case event.Op == topdown.EnterOp && rule:
		change = attempts{1, 1}
	case event.Op == topdown.ExitOp && rule:
		change.failed = -1
	default:
		return
	}
	at := OriginOf(event.Location)
	if at.Source != t.of.Source || at.File != t.of.File {
		return
	}
	if t.lines[at.Line] == nil {
		t.lines[at.Line] = map[ast.Node]attempts{}
	}
	n := t.lines[at.Line][event.Node]
	t.lines[at.Line][event.Node] = attempts{n.tried + change.tried, n.failed + change.failed}
}

// held says of each line whether it was so at least once: every expression that the
// compiler has made of it. Of a line with "not", what is negated does not count.
func (t *lineTracer) held() map[int]bool {
	out := map[int]bool{}
	for line, nodes := range t.lines {
		negated := false
		for node := range nodes {
			negated = negated || isNegated(node)
		}
		for node, n := range nodes {
			if before, known := out[line]; !negated || isNegated(node) {
				out[line] = n.tried > n.failed && (before || !known)
			}
		}
	}
	return out
}

func isNegated(node ast.Node) bool {
	expr, ok := node.(*ast.Expr)
	return ok && expr.Negated
}

// seenIn returns the parts of an input that are read, and the parameters of the rule. A part
// of which parts are read is left out.
func seenIn(input ast.Value, rule Rule, read map[string]place) (out []Seen) {
	values := map[string]string{}
	for name := range rule.Params {
		at := place{"params", rule.ID, name}
		read[at.String()] = at
	}
	for _, at := range read {
		for _, found := range expand(input, at) {
			values[found.String()] = ""
			if value, err := input.Find(found.ref()); err == nil {
				values[found.String()] = value.String()
			}
		}
	}
	names := sortedKeys(values)
	for _, name := range names {
		if !slices.ContainsFunc(names, func(other string) bool {
			return strings.HasPrefix(other, name+".") || strings.HasPrefix(other, name+"[")
		}) {
			out = append(out, Seen{name, values[name]})
		}
	}
	return out
}

// expand returns the places for each key that there is where a step may be any; as it is if
// there is none.
func expand(input ast.Value, at place) (out []place) {
	i := slices.Index(at, nil)
	if i < 0 {
		return []place{at}
	}
	above, _ := input.Find(at[:i].ref())
	object, _ := above.(ast.Object)
	if object == nil {
		return []place{at[:i]}
	}
	object.Foreach(func(key, _ *ast.Term) {
		name, _ := key.Value.(ast.String)
		for _, found := range expand(input, slices.Concat(at[:i], place{string(name)}, at[i+1:])) {
			if _, err := input.Find(found.ref()); err == nil {
				out = append(out, found)
			}
		}
	})
	if len(out) == 0 {
		return []place{at[:i]}
	}
	return out
}

// ref returns a place as OPA has it.
func (p place) ref() (ref ast.Ref) {
	for _, step := range p {
		switch step := step.(type) {
		case int:
			ref = append(ref, ast.IntNumberTerm(step))
		case string:
			ref = append(ref, ast.StringTerm(step))
		}
	}
	return ref
}
