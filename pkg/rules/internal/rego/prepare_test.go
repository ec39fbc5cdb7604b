package rego

import (
	"bytes"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/flux-remedy/remedy/policies"

	"github.com/open-policy-agent/opa/v1/ast"
)

// TestPrepared holds the embedded policies that are prepared to those that are compiled.
func TestPrepared(t *testing.T) {
	want, err := Parse([]fs.FS{policies.FS})
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := want.Prepare(map[string]any{"type": "object"})
	if err != nil {
		t.Fatal(err)
	}
	if have, _ := fs.ReadFile(policies.FS, PreparedFile); !bytes.Equal(have, fresh) {
		t.Fatalf("policies/%s is stale: run make generate", PreparedFile)
	}
	p, err := openPrepared([]fs.FS{policies.FS}, filesIn(policies.FS))
	if err != nil || p == nil {
		t.Fatal("the embedded policies are not prepared:", err)
	}
	have, err := p.compiler()
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := want.compiler()
	if err != nil {
		t.Fatal(err)
	}
	if p.entrypoint != want.entrypoint || !reflect.DeepEqual(p.Rules, want.Rules) || !reflect.DeepEqual(p.reads, want.reads) {
		t.Error("the rules are not the same")
	}
	if len(have.Modules) != len(compiled.Modules) {
		t.Errorf("%d modules, want %d", len(have.Modules), len(compiled.Modules))
	}
	for _, module := range compiled.Modules {
		sameRules(t, have.Modules[module.Package.Path.String()], module)
	}
}

func sameRules(t *testing.T, have, want *ast.Module) {
	t.Helper()
	if len(have.Rules) != len(want.Rules) {
		t.Fatalf("%s has %d rules, want %d", want.Package, len(have.Rules), len(want.Rules))
	}
	for i, rule := range want.Rules {
		rule.Annotations = nil
		if have.Rules[i].Compare(rule) != 0 {
			t.Errorf("prepared is\n%v\nwant\n%v", have.Rules[i], rule)
		}
	}
}

func filesIn(source fs.FS) func() ([]sourceFile, error) {
	return func() ([]sourceFile, error) { return filesOf(source) }
}

// TestStaleIsCompiled changes a rule of policies that are prepared.
func TestStaleIsCompiled(t *testing.T) {
	source := fstest.MapFS{}
	for _, name := range []string{"main.rego", SchemaFile, PreparedFile, "lib/lib.rego", "rules/visibility/suspended/suspended.rego"} {
		data, err := fs.ReadFile(policies.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		source[name] = &fstest.MapFile{Data: data}
	}
	files := filesIn(source)
	if p, err := openPrepared([]fs.FS{source}, files); p != nil || err != nil {
		t.Errorf("others than are prepared: %v, %v", p, err)
	}
	if p, err := openPrepared([]fs.FS{policies.FS, source}, files); p != nil || err != nil {
		t.Errorf("two sources: %v, %v", p, err)
	}
}

func TestPreparedIsMalformed(t *testing.T) {
	data, _ := fs.ReadFile(policies.FS, PreparedFile)
	for _, text := range []string{"", "{", string(data[:len(data)-2])} {
		source := fstest.MapFS{PreparedFile: {Data: []byte(text)}, SchemaFile: {Data: []byte("{}")}}
		files := filesIn(source)
		of, _ := fingerprint(source, files)
		text = strings.Replace(text, `{"of":"`, `{"of":"`+of+`","was":"`, 1)
		source[PreparedFile].Data = []byte(text)
		p, err := openPrepared([]fs.FS{source}, files)
		if err == nil {
			_, err = p.compiler()
		}
		if err == nil {
			t.Errorf("%.20q judges", text)
		}
	}
}
