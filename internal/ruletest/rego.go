package ruletest

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/internal/crd"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/types"
)

// patience is how long one Rego test may take: a busy machine is slow.
const patience = 5 * time.Minute

// test runs the Rego tests and adds them to the results of their rules, with what they
// reach.
func (m *modules) test(ctx context.Context, engine *rules.Engine, results []Result, least int) ([]Result, error) {
	reached := cover.New()
	found, err := m.run(ctx, engine, func(r *tester.Runner) { r.SetCoverageQueryTracer(reached).SetCoverageRuns(nil) })
	if err != nil {
		return nil, err
	}
	failedAt, err := m.whyFailed(ctx, engine, found)
	if err != nil {
		return nil, err
	}
	report := reached.Report(m.all)
	for i := range results {
		r := &results[i]
		if r.Rule == "" {
			continue // it does not compile, and nor would its tests
		}
		rule, _ := engine.Rule(r.Rule)
		folder := path.Dir(rule.Origin.File)
		r.Checks = append(r.Checks, m.checksOf(*r, folder, found, failedAt)...)
		r.Checks = append(r.Checks, m.neverRan(*r, folder, report)...)
		if len(m.brokenIn(*r, folder)) > 0 {
			continue
		}
		r.Coverage = coverageOf(report.Files[fmt.Sprintf("%d/%s", rule.Origin.Source, rule.Origin.File)])
		r.Checks = append(r.Checks, r.tooLittle(least)...)
	}
	return results, nil
}

// run runs all tests. A file of tests that does not compile is left out.
func (m *modules) run(ctx context.Context, engine *rules.Engine, with func(*tester.Runner)) ([]*tester.Result, error) {
	for {
		runner := tester.NewRunner().
			SetCompiler(ast.NewCompiler().WithCapabilities(capabilities()).WithEnablePrintStatements(true)).
			AddCustomBuiltins([]*tester.Builtin{inputBuiltin(engine)}).
			RaiseBuiltinErrors(true).
			SetTimeout(patience).
			SetModules(m.all)
		with(runner)
		results, err := runner.RunTests(ctx, nil)
		if errs, ok := err.(ast.Errors); ok && m.leaveOut(errs) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var all []*tester.Result
		for result := range results {
			all = append(all, result)
		}
		slices.SortFunc(all, func(a, b *tester.Result) int { return a.Location.Compare(b.Location) })
		return all, ctx.Err()
	}
}

// leaveOut removes the files of tests that errors are in, and reports whether there was one.
func (m *modules) leaveOut(errs ast.Errors) (some bool) {
	for _, e := range errs {
		if name := e.Location.File; isTest(name) && m.all[name] != nil || m.broken[name] != nil {
			m.broken[name] = append(m.broken[name], e)
			delete(m.all, name)
			some = true
		}
	}
	return some
}

// whyFailed runs the tests that failed once more, and returns where each did.
func (m *modules) whyFailed(ctx context.Context, engine *rules.Engine, found []*tester.Result) (map[string]*ast.Location, error) {
	var names []string
	for _, r := range found {
		if r.Fail {
			names = append(names, regexp.QuoteMeta(r.Package+"."+r.Name))
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	again, err := m.run(ctx, engine, func(r *tester.Runner) {
		r.EnableTracing(true).Filter("^(" + strings.Join(names, "|") + ")$")
	})
	out := map[string]*ast.Location{}
	for _, r := range again {
		if r.FailedAt != nil {
			out[r.Package+"."+r.Name] = r.FailedAt.Location
		}
	}
	return out, err
}

// capabilities are those of rules, and what tests need beyond them.
func capabilities() *ast.Capabilities {
	c := rules.Capabilities()
	c.Builtins = append(c.Builtins, inputDecl)
	for _, b := range ast.CapabilitiesForThisVersion().Builtins {
		known := func(have *ast.Builtin) bool { return have.Name == b.Name }
		if strings.HasPrefix(b.Name, "internal.") && !slices.ContainsFunc(c.Builtins, known) {
			c.Builtins = append(c.Builtins, b)
		}
	}
	return c
}

var inputDecl = &ast.Builtin{
	Name: "remedy.input",
	Decl: types.NewFunction(types.Args(types.A, types.A, types.A), types.A),
}

// inputBuiltin is remedy.input(object, old, controller): the engine's input for a release,
// with settings resolved by helm-controller's own getters. The controller may have a
// definition beside its version and gates: the CustomResourceDefinition of HelmRelease.
func inputBuiltin(engine *rules.Engine) *tester.Builtin {
	return &tester.Builtin{Decl: inputDecl, Func: rego.Function3(
		&rego.Function{Name: inputDecl.Name, Decl: inputDecl.Decl},
		func(_ rego.BuiltinContext, object, old, controller *ast.Term) (*ast.Term, error) {
			return makeInput(engine, object, old, controller)
		})}
}

func makeInput(engine *rules.Engine, terms ...*ast.Term) (*ast.Term, error) {
	var object, old map[string]any
	var controller struct {
		release.Controller
		Definition map[string]any `json:"definition"`
	}
	for i, to := range []any{&object, &old, &controller} {
		value, err := ast.JSON(terms[i].Value)
		if err != nil {
			return nil, err
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(raw, to); err != nil {
			return nil, err
		}
	}
	if controller.Definition != nil {
		schema, err := crd.SchemaOf(controller.Definition, "crds.yaml")
		if err != nil {
			return nil, err
		}
		controller.Schema = schema
	}
	hr, err := release.Decode(object, controller.Controller)
	if err != nil {
		return nil, err
	}
	hr.Tier = release.Production
	if len(old) > 0 {
		hr.Old = old
	}
	input, err := engine.Input(hr)
	return ast.NewTerm(input), err
}
