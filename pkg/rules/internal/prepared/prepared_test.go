package prepared

import (
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
)

// everything that a compiled module may hold.
const everything = `package a["b-c"]

import data.other

default level(_) := 1

level(x) := 2 if { x.y[0] > 3 } else := 1.50 if { not x.z } else := null

names contains name if { some name, value in input.object; value == {"k": [true, false], "s": {1, "two"}} }

parts.all[key] := value if {
	every k, v in input.list { k < 40; v != "" }
	every v in input.list { v }
	value := {k: [w | w := other.f(k)] | some k in {l | some l in input.keys}}
	some key in ["x", ` + "`line\nend`" + `, "\t\\t\\"]
} 

mocked if { names == {"a"} with input as {} with data.other.f as 3 }
`

func compiled(t *testing.T, text string) *ast.Module {
	t.Helper()
	c := ast.NewCompiler()
	c.Compile(map[string]*ast.Module{
		"a": ast.MustParseModuleWithOpts(text, ast.ParserOptions{}),
		"o": ast.MustParseModuleWithOpts("package other\n\nf(x) := x", ast.ParserOptions{}),
	})
	if c.Failed() {
		t.Fatal(c.Errors)
	}
	return c.Modules["a"]
}

// TestWhatIsWrittenIsRead states the law of the package: what is read is what was written.
func TestWhatIsWrittenIsRead(t *testing.T) {
	want := compiled(t, everything)
	text, err := Write(want)
	if err != nil {
		t.Fatal(err)
	}
	all, err := Read(text + text)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d modules, %v", len(all), err)
	}
	got := all[1]
	if !got.Package.Equal(want.Package) || len(got.Rules) != len(want.Rules) {
		t.Fatalf("%v\nis read from\n%v", got, want)
	}
	for i, rule := range want.Rules {
		if got.Rules[i].Compare(rule) != 0 || got.Rules[i].Module != got {
			t.Errorf("%v\nis read from\n%v", got.Rules[i], rule)
		}
	}
}

func TestWriteRefusesWhatIsNotCompiled(t *testing.T) {
	for _, text := range []string{"a := f(g(1))", "a if { some x in input; x }", "a := $`{input.x}`"} {
		m := ast.MustParseModuleWithOpts("package p\n\n"+text, ast.ParserOptions{})
		if _, err := Write(m); err == nil {
			t.Errorf("%s: is written", text)
		}
	}
}

func TestReadRefusesWhatIsCut(t *testing.T) {
	text, err := Write(compiled(t, everything))
	if err != nil {
		t.Fatal(err)
	}
	scalars, nodes, _ := strings.Cut(text, "\n")
	for i := range len(nodes) - 1 {
		if _, err := Read(scalars + "\n" + nodes[:i]); err == nil {
			t.Fatalf("%d of %d nodes are read", i, len(nodes))
		}
	}
	for _, text := range []string{"", "sa", "sa\tsb", "\n9", "sa\t\t\n0"} {
		if _, err := Read(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
