package rego

import (
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
)

// A rule reads all of what it names; of what it compares with a text alone, whether it is that text.
func TestReads(t *testing.T) {
	for body, want := range map[string]string{
		`input.a.b == "x"`:                                   `input.a.b == "x"`,
		`"x" == input.a.b`:                                   `input.a.b`,
		`not input.a == "x"`:                                 `input.a == "x"`,
		`input.a[0] == "x"`:                                  `input.a[0] == "x"`,
		`input.a == "x"; input.b == "x"`:                     `input.a == "x" input.b == "x"`,
		`input.a == "x"; input.a == "y"`:                     `input.a == "x" input.a == "y"`,
		`input.a == "x"; count(input.a) == 1`:                `input.a`,
		`input.a == "x"; input.a.b`:                          `input.a == "x" input.a.b`,
		`input.a != "x"`:                                     `input.a`,
		`input.a == 1`:                                       `input.a`,
		`input.a == input.b`:                                 `input.a input.b`,
		`input.a[_] == "x"`:                                  `input.a`,
		`input.a[_].b == "x"`:                                `input.a[_].b`,
		`some k in ["a", "b"]; input[k] == "x"`:              `input`,
		`input == "x"`:                                       `input`,
		`x := input.a; x == "x"`:                             `input.a`,
		`y == "x" with input.b as input.a`:                   `input.a input.b`,
		`input.a == "x" with input.a as input.b`:             `input.a input.b`,
		`count({1 | input.a == "x"}) == 1`:                   `input.a == "x"`,
		`every k in ["b"] { input.a == k }`:                  `input.a`,
		`input.a == "x"; z := {"k": input.a}; z.k == "text"`: `input.a`,
	} {
		compiler := ast.NewCompiler()
		compiler.Compile(map[string]*ast.Module{"p.rego": ast.MustParseModule("package p\n\nr if { " + body + " }\n\ny := input.b")})
		if compiler.Failed() {
			t.Fatalf("%s: %v", body, compiler.Errors)
		}
		var names []string
		for _, at := range readsOf(compiler, map[string]ast.Ref{"r": ast.MustParseRef("data.p.r")})["r"] {
			names = append(names, at.String())
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s reads %s, want %s", body, got, want)
		}
	}
}
