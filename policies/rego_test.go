package policies_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// TestRego runs the Rego tests of the rules and the library. Their inputs are made by
// the engine, through the builtin remedy.input(object, old, controller).
func TestRego(t *testing.T) {
	t.Parallel()
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	input := &tester.Builtin{Decl: inputBuiltin, Func: rego.Function3(
		&rego.Function{Name: inputBuiltin.Name, Decl: inputBuiltin.Decl},
		func(_ rego.BuiltinContext, object, old, controller *ast.Term) (*ast.Term, error) {
			return makeInput(engine, object, old, controller)
		})}
	runner := tester.NewRunner().
		AddCustomBuiltins([]*tester.Builtin{input}).
		RaiseBuiltinErrors(true).
		SetTimeout(time.Minute). // for each test; a busy machine is slow
		SetModules(modules(t))
	results, err := runner.RunTests(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for result := range results {
		cases += max(1, len(result.SubResults))
		if !result.Pass() {
			t.Errorf("%s", result)
		}
	}
	t.Logf("%d Rego test cases", cases)
}

var inputBuiltin = &ast.Builtin{
	Name: "remedy.input",
	Decl: types.NewFunction(types.Args(types.A, types.A, types.A), types.A),
}

func makeInput(engine *rules.Engine, terms ...*ast.Term) (*ast.Term, error) {
	var object, old map[string]any
	var controller release.Controller
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
	hr, err := release.Decode(object, controller)
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

// modules parses every .rego file below this folder, by its name.
func modules(t *testing.T) map[string]*ast.Module {
	t.Helper()
	parsed := map[string]*ast.Module{}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".rego") {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		parsed[name], err = ast.ParseModuleWithOpts(name, string(data),
			ast.ParserOptions{ProcessAnnotation: true, RegoVersion: ast.RegoV1})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
