package rego

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
)

// SchemaFile is the JSON Schema of the input, without the parameters of rules, beside
// the policies.
const SchemaFile = "input.schema.json"

// Program is policies that are read: their rules and entrypoint, and a compiler with options.
// It holds them compiled already if there are no modules, once that is awaited.
type Program struct {
	// Rules are described by category and id.
	Rules []Description

	source     fs.FS // the first, which holds the library, the entrypoint and the schema of the input
	entrypoint string
	modules    []*ast.Module
	compiler   func() (*ast.Compiler, error) // waits for it
	reads      reads                         // nil until they are compiled
	sums       []string
}

// Policies are compiled Rego: what can be asked of it.
type Policies struct {
	Queries
	// Sums are the hashes of the Rego files, sorted.
	Sums []string

	compiler func() (*ast.Compiler, error)
	lookups  func() lookups      // see readTracer
	store    storage.Store       // holds nothing, as no policy reads data
	reading  storage.Transaction // of all evaluations
}

// Read reads the policies of file systems. The first one holds the library, the entrypoint and
// the schema of the input; later ones add rules.
func Read(sources []fs.FS) (*Program, error) {
	files := sync.OnceValues(func() ([]sourceFile, error) { return filesOf(sources[0]) })
	p, err := openPrepared(sources, files)
	if p == nil && err == nil {
		p, err = Parse(sources)
	}
	if err != nil {
		return nil, err
	}
	first, err := files()
	if err != nil {
		return nil, fmt.Errorf("read policies: %w", err)
	}
	p.sums, err = sumsOf(first, sources[1:])
	return p, err
}

// Parse is [Read] that takes nothing that was prepared.
func Parse(sources []fs.FS) (*Program, error) {
	modules, err := parseModules(sources)
	if err != nil {
		return nil, err
	}
	entrypoint, rules, err := annotated(modules)
	return &Program{Rules: rules, source: sources[0], entrypoint: entrypoint, modules: modules}, err
}

// Compile returns the policies as they are evaluated: on inputs with some sections, of which
// params has a JSON Schema of its own, the parameters by rule. Those that are prepared are waited
// for when something is first asked: until then much else is read.
func (p *Program) Compile(sections []string, params map[string]any) (*Policies, error) {
	verdict, err := ast.ParseRef(p.entrypoint)
	if err != nil {
		return nil, fmt.Errorf("compile policies: %w", err)
	}
	class := verdict[:len(verdict)-1].Append(ast.StringTerm("class")) // beside the entrypoint
	if len(p.modules) > 0 {
		compiler, err := p.compileModules(params)
		if err != nil {
			return nil, err
		}
		p.compiler = func() (*ast.Compiler, error) { return compiler, nil }
		p.reads = readsOf(compiler, refsOf(class, p.Rules))
	}
	store := inmem.New()
	reading, err := store.NewTransaction(context.Background())
	if err != nil {
		return nil, fmt.Errorf("compile policies: %w", err)
	}
	return &Policies{
		Queries: queriesOf(class, p.Rules, p.reads, sections), Sums: p.sums, compiler: p.compiler, store: store, reading: reading,
		lookups: sync.OnceValue(func() lookups {
			compiler, err := p.compiler()
			if err != nil {
				return lookups{}
			}
			return lookupsIn(compiler.Modules)
		}),
	}, nil
}

func (p *Program) compileModules(params map[string]any) (*ast.Compiler, error) {
	schema, err := inputSchema(p.source, params)
	if err != nil {
		return nil, err
	}
	schemas := ast.NewSchemaSet()
	schemas.Put(ast.SchemaRootRef, schema)
	compiler := ast.NewCompiler().WithStrict(true).WithCapabilities(Capabilities()).WithSchemas(schemas).WithUseTypeCheckAnnotations(true)
	modules := map[string]*ast.Module{}
	for _, module := range p.modules {
		modules[module.Package.Location.File] = module
	}
	if compiler.Compile(modules); compiler.Failed() {
		return nil, fmt.Errorf("compile policies: %w", compiler.Errors)
	}
	return compiler, nil
}

// inputSchema reads the schema of the input and adds the rules' parameters, so
// that a rule which misspells a field or a parameter does not compile.
func inputSchema(source fs.FS, params map[string]any) (map[string]any, error) {
	data, err := fs.ReadFile(source, SchemaFile)
	if err != nil {
		return nil, fmt.Errorf("read policies: %w", err)
	}
	var schema map[string]any
	if err := json.Unmarshal(data, &schema); err != nil {
		return nil, fmt.Errorf("read policies: %s: %w", SchemaFile, err)
	}
	properties, ok := schema["properties"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("read policies: %s has no properties", SchemaFile)
	}
	properties["params"] = params
	return schema, nil
}

// Capabilities are OPA's without the builtins whose result depends on more than
// their arguments: network, clock, random numbers, environment.
func Capabilities() *ast.Capabilities {
	c := ast.CapabilitiesForThisVersion()
	c.AllowNet = []string{}
	c.Builtins = slices.DeleteFunc(c.Builtins, func(b *ast.Builtin) bool {
		return b.Nondeterministic || b.Name == ast.OPARuntime.Name || b.Name == ast.HTTPSend.Name
	})
	return c
}

// Constant reads what a rule without conditions is, such as data.remedy.lib.fields.plain, into a
// value. It reads nothing of policies without the rule.
func (p *Policies) Constant(name string, into any) error {
	compiler, err := p.compiler()
	if err != nil {
		return err
	}
	for _, rule := range compiler.GetRulesExact(ast.MustParseRef(name)) {
		if err := (Answer{rule.Head.Value}).Decode(into); err != nil {
			return err
		}
	}
	return nil
}
