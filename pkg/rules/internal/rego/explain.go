package rego

import (
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules/internal/places"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// Course is how an evaluation went.
type Course struct {
	Answer Answer
	// Saw are the parts of the input that were read, in the order of their names.
	Saw []Seen
	// Lines says of the lines of a file that were reached, by number, whether they were
	// so at least once.
	Lines map[int]bool
}

// Seen is a part of the input.
type Seen struct {
	// Path is what the rule asks for, as input.effective.timeout.
	Path string `json:"path"`
	// Value is as Rego writes it; absent if it is not there.
	Value string `json:"value,omitempty"`
}

// Explain evaluates a query of a rule in a file, and says how it went: what of the input it reads
// besides other places that are given, and what became of the lines of the file.
func (e *Evaluation) Explain(query *Query, file Origin, besides []places.Place) (Course, error) {
	lines, seen := &lineTracer{file, map[int]map[ast.Node]attempts{}}, e.newReadTracer()
	answer, err := e.trace(query, lines, seen)
	if err != nil {
		return Course{}, err
	}
	for _, at := range besides {
		seen.read[at.String()] = at
	}
	return Course{answer, seenIn(e.input.Value, seen.read), lines.held()}, nil
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

// seenIn returns the parts of an input that are read. A part of which parts are read is left out.
func seenIn(input ast.Value, read map[string]places.Place) (out []Seen) {
	values := map[string]string{}
	for _, at := range read {
		for _, found := range expand(input, at) {
			values[found.String()] = ""
			if value, err := input.Find(refOf(found)); err == nil {
				values[found.String()] = value.String()
			}
		}
	}
	names := slices.Sorted(maps.Keys(values))
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
func expand(input ast.Value, at places.Place) (out []places.Place) {
	i := slices.Index(at, nil)
	if i < 0 {
		return []places.Place{at}
	}
	above, _ := input.Find(refOf(at[:i]))
	object, _ := above.(ast.Object)
	if object == nil {
		return []places.Place{at[:i]}
	}
	object.Foreach(func(key, _ *ast.Term) {
		name, _ := key.Value.(ast.String)
		for _, found := range expand(input, slices.Concat(at[:i], places.Place{string(name)}, at[i+1:])) {
			if _, err := input.Find(refOf(found)); err == nil {
				out = append(out, found)
			}
		}
	})
	if len(out) == 0 {
		return []places.Place{at[:i]}
	}
	return out
}

// refOf returns a place as OPA has it.
func refOf(p places.Place) (ref ast.Ref) {
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
