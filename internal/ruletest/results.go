package ruletest

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/topdown"
)

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

// failedCases names the cases of a test that fail.
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
