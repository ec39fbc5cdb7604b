package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
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
	Path string
	// Value is JSON; empty if it is not there.
	Value string
}

// Explain evaluates one rule for a release, and says how it went. The engine must have
// compiled the rule: prepared policies have no lines.
func (e *Engine) Explain(ctx context.Context, rule Rule, r *release.Release) (*Explanation, error) {
	input, err := e.Input(r)
	if err != nil {
		return nil, err
	}
	object := input.(ast.Object)
	object.Insert(ast.InternedTerm("only"), ast.ArrayTerm(ast.StringTerm(rule.Category), ast.StringTerm(rule.ID)))
	lines := &lineTracer{rule.Origin, map[int]map[ast.Node]attempts{}}
	results, err := e.eval(ctx, rego.EvalParsedInput(object), rego.EvalQueryTracer(lines), rego.EvalRuleIndexing(false), rego.EvalEarlyExit(false))
	if err != nil {
		return nil, err
	}
	told, err := toldBy(results)
	if err != nil {
		return nil, err
	}
	for i := range told.Report {
		told.Report[i].Rule = rule.ID
	}
	verdict, err := e.verdict(told, r)
	if err != nil {
		return nil, err
	}
	heard := &transcript{seen: map[string]bool{}}
	if _, err := e.try(ctx, heard.watch(object)); err != nil {
		heard.asked = nil // what it asks for is not heard; what it says is known
	}
	return &Explanation{seenIn(object, rule, heard.asked), lines.held(), verdict.Findings}, nil
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

// seenIn returns the parts of an input that are asked for, each with all that is asked of
// it, and the parameters of the rule. An object of which parts are asked for is left out.
func seenIn(input ast.Object, rule Rule, asked []question) []Seen {
	values := map[string]string{}
	for name := range rule.Params {
		asked = append(asked, question{at: []any{"params", rule.ID, name}})
	}
	for _, q := range asked {
		of := func(other question) bool {
			return len(other.at) > len(q.at) && slices.Equal(other.at[:len(q.at)], q.at)
		}
		if q.how == itself && slices.ContainsFunc(asked, of) {
			continue
		}
		name := inputPath(q.at)
		value, err := input.Find(refOf(q.at))
		switch {
		case err != nil:
			values[name] = ""
		case q.how == itsKeys && slices.ContainsFunc(asked, of):
		default:
			values[name] = value.String()
		}
	}
	var out []Seen
	for _, name := range sortedKeys(values) {
		out = append(out, Seen{name, values[name]})
	}
	return out
}

// refOf returns a path below the input as OPA has it.
func refOf(at []any) (ref ast.Ref) {
	for _, step := range at {
		switch step := step.(type) {
		case int:
			ref = append(ref, ast.IntNumberTerm(step))
		case string:
			ref = append(ref, ast.StringTerm(step))
		}
	}
	return ref
}

// inputPath writes a path as Rego does: input.fields["spec.timeout"][0].
func inputPath(at []any) string {
	out := "input"
	for _, step := range at {
		name, text := step.(string)
		switch {
		case text && ast.IsVarCompatibleString(name):
			out += "." + name
		case text:
			out += fmt.Sprintf("[%q]", name)
		default:
			out += fmt.Sprintf("[%v]", step)
		}
	}
	return strings.TrimSpace(out)
}
