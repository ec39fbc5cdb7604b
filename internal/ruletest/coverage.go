package ruletest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// coverageOf returns what tests reach of a file.
func coverageOf(file *cover.FileReport) *Coverage {
	if file == nil {
		return &Coverage{}
	}
	covered, missed := map[int]bool{}, map[int]bool{}
	for _, r := range file.Covered {
		covered[r.Start.Row] = true
	}
	for _, r := range file.NotCovered {
		missed[r.Start.Row] = true
	}
	out := &Coverage{}
	for row := range missed {
		if !covered[row] {
			out.Missed = append(out.Missed, row)
		}
	}
	slices.Sort(out.Missed)
	out.Covered, out.Lines = len(covered), len(covered)+len(out.Missed)
	return out
}

// tooLittle returns a check that fails if tests reach less of a rule than they must.
func (r *Result) tooLittle(least int) []Check {
	if least == 0 {
		return nil
	}
	check := Check{Name: "coverage"}
	if is := r.Coverage.Percent(); is < least {
		for _, line := range r.Coverage.Missed {
			check.Faults = append(check.Faults, Fault{r.File, line, fmt.Sprintf("no test reaches this line: coverage is %d%%, want %d%%", is, least)})
		}
	}
	return []Check{check}
}

// neverRan returns the rules in the tests of a folder that nothing evaluates: most of all
// tests whose name does not begin with test_.
func (m *modules) neverRan(r Result, folder string, report cover.Report) (checks []Check) {
	for _, name := range m.testsOf(r, folder) {
		reached := map[int]bool{}
		if file := report.Files[name]; file != nil {
			for _, at := range file.Covered {
				reached[at.Start.Row] = true
			}
		}
		for _, rule := range m.all[name].Rules {
			if isReached(rule, reached) || isTestName(rule) {
				continue
			}
			at, id := rules.OriginOf(rule.Location), rule.Head.Ref().String()
			checks = append(checks, Check{Name: id, Test: true, Faults: []Fault{{
				m.sources[r.source].at(at.File), at.Line, fmt.Sprintf("%s never ran: no test uses it, and a test's name begins with test_", id),
			}}})
		}
	}
	return checks
}

// isTestName reports whether OPA takes a rule for a test, which has a result of its own.
func isTestName(rule *ast.Rule) bool {
	name := rule.Head.Ref()[0].String()
	return strings.HasPrefix(name, tester.TestPrefix) || strings.HasPrefix(name, tester.SkipTestPrefix)
}

// isReached reports whether a rule was evaluated.
func isReached(rule *ast.Rule, rows map[int]bool) bool {
	reached := rows[rule.Head.Location.Row]
	ast.WalkExprs(rule, func(x *ast.Expr) bool {
		reached = reached || x.Location != nil && rows[x.Location.Row]
		return reached
	})
	return reached
}

// causes checks that one cause has one finding: the rule reports a field once, and none
// that another rule reports on the same release. The releases are its own examples and
// those of the built-in rules.
func (t *tested) causes() ([]Fault, error) {
	all := t.beside
	for _, name := range []string{badFile, goodFile} {
		own, err := t.example(name)
		if err != nil {
			return nil, err
		}
		if own != nil {
			all = append([]*example{own}, all...)
		}
	}
	var faults []Fault
	said := map[string]bool{}
	for _, e := range all {
		for _, message := range t.twice(e) {
			if !said[message] {
				said[message] = true
				faults = append(faults, Fault{File: t.source.at(t.rule.Origin.File), Line: t.reportLine, Message: message})
			}
		}
	}
	return faults, nil
}

// twice says which fields of an example have a finding of the rule and another one.
func (t *tested) twice(e *example) (messages []string) {
	where := e.file
	if e.rule != t.rule.ID {
		where = fmt.Sprintf("%s of %s", e.file, e.rule)
	}
	if e.err != nil {
		return t.failure(e.err, where)
	}
	for i, f := range e.verdict.Findings {
		if f.Rule != t.rule.ID {
			continue
		}
		for j, other := range e.verdict.Findings {
			switch {
			case j == i || !sameField(f, other):
			case other.Rule == t.rule.ID && j > i:
				messages = append(messages, fmt.Sprintf("two findings for one cause: in %s both are at %s: %q and %q", where, f.Path, f.Message, other.Message))
			case other.Rule != t.rule.ID && e.rule != t.rule.ID && !t.opts.tolerates(other):
				messages = append(messages, fmt.Sprintf("two findings for one cause: in %s %s reports %s too: both rules report this field: narrow yours, or pass --skip causes", where, other.Rule, f.Path))
			}
		}
	}
	return messages
}

// failure says that a release cannot be judged, if the rule may be why.
func (t *tested) failure(err error, where string) []string {
	var at *topdown.Error
	if errors.As(err, &at) && rules.OriginOf(at.Location).File != t.rule.Origin.File {
		return nil
	}
	return []string{fmt.Sprintf("%s cannot be judged: %v", where, err)}
}

func sameField(a, b rules.Finding) bool {
	return a.Object == b.Object && a.Path.String() == b.Path.String()
}
