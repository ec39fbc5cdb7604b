package ruletest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// The names of the checks, in the order in which they are made.
var checks = []struct {
	name string
	make func(*tested) ([]Fault, error)
}{
	{"metadata", (*tested).metadata},
	{"severities", (*tested).severities},
	{"examples", (*tested).examples},
	{"causes", (*tested).causes},
	{"fixes", (*tested).fixes},
	{"page", (*tested).page},
}

// Checks returns the names of the checks.
func Checks() []string {
	var names []string
	for _, check := range checks {
		names = append(names, check.name)
	}
	return names
}

// Options say what is tested.
type Options struct {
	// Sources are the folders of rules. The first holds the built-in ones, laid out as
	// in the package policies.
	Sources []Source
	// BuiltIn is true if the rules of the first source are tested, and not those of the
	// others.
	BuiltIn bool
	// Tolerated reports whether examples may have a finding of another rule than their
	// own; nil if they may not.
	Tolerated func(rules.Finding) bool
	// Skip are checks that are not made.
	Skip []string
	// MinCoverage is what the Rego tests of a rule must reach, in percent.
	MinCoverage int
	// Author writes the pages; empty if they are not compared.
	Author string
}

func (o *Options) tolerates(f rules.Finding) bool { return o.Tolerated != nil && o.Tolerated(f) }

// tested is a rule with what its checks look at.
type tested struct {
	ctx        context.Context
	opts       *Options
	engine     *rules.Engine
	rule       rules.Rule
	source     Source
	folder     fs.FS
	modules    *modules
	reportLine int        // of its first finding in Rego
	beside     []*example // of the built-in rules

	judged map[string]*example // by file; nil if it cannot be judged
	cannot map[string]string   // why
}

// Run tests rules. An error means that they could not be tested.
func Run(ctx context.Context, opts Options) (*Report, error) {
	engine, sources, results, err := load(ctx, opts.Sources)
	if err != nil {
		return nil, err
	}
	modules, err := parse(sources, opts.BuiltIn)
	if err != nil {
		return nil, err
	}
	beside, err := builtInExamples(ctx, engine, sources[0], opts)
	if err != nil {
		return nil, err
	}
	for _, rule := range engine.Rules() {
		if (rule.Origin.Source == 0) != opts.BuiltIn {
			continue
		}
		t := &tested{
			ctx: ctx, opts: &opts, engine: engine, rule: rule, source: sources[rule.Origin.Source],
			modules: modules, reportLine: modules.reportLine(rule), beside: beside, judged: map[string]*example{}, cannot: map[string]string{},
		}
		if t.folder, err = fs.Sub(t.source.FS, path.Dir(rule.Origin.File)); err != nil {
			return nil, err
		}
		result := Result{Rule: rule.ID, Category: rule.Category, File: t.source.at(rule.Origin.File), source: rule.Origin.Source}
		for _, check := range checks {
			if err := result.checked(check.name, opts.Skip, func() ([]Fault, error) { return check.make(t) }); err != nil {
				return nil, err
			}
		}
		results = append(results, result)
	}
	if results, err = modules.test(ctx, engine, results, opts.MinCoverage); err != nil {
		return nil, err
	}
	slices.SortStableFunc(results, func(a, b Result) int { return strings.Compare(a.File, b.File) })
	return reportOf(results), nil
}

// builtInExamples judges the examples of the built-in rules, for rules beside them.
func builtInExamples(ctx context.Context, engine *rules.Engine, source Source, opts Options) ([]*example, error) {
	var out []*example
	for _, rule := range engine.Rules() {
		if rule.Origin.Source > 0 || opts.BuiltIn {
			continue
		}
		folder, err := fs.Sub(source.FS, path.Dir(rule.Origin.File))
		if err != nil {
			return nil, err
		}
		for _, name := range []string{badFile, goodFile} {
			e, err := judge(ctx, engine, rule, folder, name)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				e = &example{rule: rule.ID, file: name, err: err}
			}
			out = append(out, e)
		}
	}
	return out, nil
}

// example returns an example of the rule, judged; nil if it cannot be judged.
func (t *tested) example(name string) (*example, error) {
	if _, done := t.judged[name]; !done {
		e, err := judge(t.ctx, t.engine, t.rule, t.folder, name)
		switch {
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return nil, err
		case errors.Is(err, fs.ErrNotExist):
			t.cannot[name] = "there is no " + name + ": write a release that " + map[string]string{badFile: "the rule reports", goodFile: "no rule reports"}[name]
		case err != nil:
			t.cannot[name] = err.Error()
		}
		if err != nil {
			e = nil
		}
		t.judged[name] = e
	}
	return t.judged[name], nil
}

// inFolder returns the name of a file of the rule's folder in its source.
func (t *tested) inFolder(name string) string { return path.Join(path.Dir(t.rule.Origin.File), name) }

// checksOf returns the tests in the folder of a rule.
func (m *modules) checksOf(r Result, folder string, found []*tester.Result, failedAt map[string]*ast.Location) (checks []Check) {
	files := m.testsOf(r, folder)
	for _, result := range found {
		if slices.Contains(files, result.Location.File) {
			faults := m.faultsOf(result, failedAt[result.Package+"."+result.Name])
			checks = append(checks, Check{Name: result.Name, Test: true, Cases: len(result.SubResults), Faults: faults})
		}
	}
	checks = append(checks, m.brokenIn(r, folder)...)
	if len(checks) == 0 {
		name := r.Rule + "_test.rego"
		checks = append(checks, Check{Name: name, Test: true, Faults: []Fault{{m.sources[r.source].at(path.Join(folder, name)), 1, "no test ran: write one whose name begins with test_"}}})
	}
	return checks
}

func errorLocation(r *tester.Result) *ast.Location {
	if e, ok := r.Error.(*topdown.Error); ok && e.Location != nil && e.Location.File == r.Location.File {
		return e.Location
	}
	return r.Location
}

func failedCases(r *tester.Result) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(r.SubResults)) {
		if r.SubResults[name].Fail {
			names = append(names, fmt.Sprintf("%q", name))
		}
	}
	return strings.Join(names, ", ")
}

// casesOf reports whether a test is one of cases: test_reported[name].
func (m *modules) casesOf(r *tester.Result) bool {
	for _, rule := range m.all[r.Location.File].Rules {
		if rule.Location.Row == r.Location.Row {
			return len(rule.Head.Ref()) > 1
		}
	}
	return false
}

// faultsOf says what is wrong with a test that ran, and where it failed.
func (m *modules) faultsOf(r *tester.Result, failedAt *ast.Location) []Fault {
	if failedAt == nil {
		failedAt = r.Location
	}
	failed := failedCases(r)
	switch {
	case r.Skip:
		return []Fault{m.fault(r.Location, "%s never ran: OPA leaves out tests whose name begins with todo_", r.Name)}
	case r.Error != nil:
		return []Fault{m.fault(errorLocation(r), "%s: %v", r.Name, r.Error)}
	case r.Fail && failed != "":
		return []Fault{m.fault(failedAt, "%s fails for %s", r.Name, failed)}
	case r.Fail:
		return []Fault{m.fault(failedAt, "%s fails here", r.Name)}
	case m.casesOf(r) && len(r.SubResults) == 0:
		return []Fault{m.fault(r.Location, "%s never ran: it has no case", r.Name)}
	}
	return nil
}

func (m *modules) fault(at *ast.Location, format string, args ...any) Fault {
	origin := rules.OriginOf(at)
	return Fault{m.sources[origin.Source].at(origin.File), origin.Line, fmt.Sprintf(format, args...)}
}

// brokenIn returns the files of tests in the folder of a rule that do not compile.
func (m *modules) brokenIn(r Result, folder string) (checks []Check) {
	for _, name := range slices.Sorted(maps.Keys(m.broken)) {
		at := rules.OriginOf(&ast.Location{File: name})
		if at.Source != r.source || path.Dir(at.File) != folder {
			continue
		}
		check := Check{Name: path.Base(at.File), Test: true}
		for _, e := range m.broken[name] {
			check.Faults = append(check.Faults, m.fault(e.Location, "%s", explained(e)))
		}
		checks = append(checks, check)
	}
	return checks
}
