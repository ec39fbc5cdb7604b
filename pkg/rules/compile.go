package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/flux-remedy/remedy/pkg/release"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
)

// SchemaFile is the JSON Schema of the input, without the parameters of rules, beside
// the policies.
const SchemaFile = "input.schema.json"

// compiled is the Rego of one or more sources: the rules as their METADATA describes them,
// what is asked of them, and what they have answered.
type compiled struct {
	rules     []Rule
	questions questions
	compiler  func() (*ast.Compiler, error) // waits for it
	lookups   func() lookups                // for readTracer
	api       func() (release.SchemaVersion, error)
	store     storage.Store       // holds nothing, as no policy reads data
	reading   storage.Transaction // of all evaluations
	memory    memory[answer]
	spare     sync.Pool       // of *buffers
	added     map[string]bool // the rules that a user has added, by id
	sums      []string        // of the Rego, see sumsOf
	schemas   sync.Map        // see schemaOf
}

// program is policies that are read: their entrypoint and rules, and a compiler with
// options. It holds them compiled already if there are no modules, once that is awaited.
type program struct {
	entrypoint string
	rules      []Rule
	compiler   func() (*ast.Compiler, error)
	modules    []*ast.Module
	reads      reads // nil until they are compiled
}

// compile reads the policies of file systems. The first one holds the library,
// the entrypoint and the schema of the input; later ones add rules.
func compile(sources []fs.FS) (*compiled, error) {
	files := sync.OnceValues(func() ([]sourceFile, error) { return filesOf(sources[0]) })
	p, err := openPrepared(sources, files)
	if p == nil && err == nil {
		p, err = parse(sources)
	}
	if err != nil {
		return nil, err
	}
	c, err := p.compile()
	if err != nil {
		return nil, err
	}
	first, err := files()
	if err != nil {
		return nil, fmt.Errorf("read policies: %w", err)
	}
	c.sums, err = sumsOf(first, sources[1:])
	return c, err
}

// parse reads the Rego of the sources.
func parse(sources []fs.FS) (*program, error) {
	modules, err := parseModules(sources)
	if err != nil {
		return nil, err
	}
	entrypoint, described, err := annotated(modules)
	if err != nil {
		return nil, err
	}
	rules, err := rulesOf(described)
	if err != nil {
		return nil, err
	}
	schema, err := inputSchema(sources[0], rules)
	if err != nil {
		return nil, err
	}
	schemas := ast.NewSchemaSet()
	schemas.Put(ast.SchemaRootRef, schema)
	compiler := ast.NewCompiler().WithStrict(true).WithCapabilities(Capabilities()).WithSchemas(schemas).WithUseTypeCheckAnnotations(true)
	return &program{entrypoint, rules, func() (*ast.Compiler, error) { return compiler, nil }, modules, nil}, nil
}

// compile returns the policies as they are evaluated. Those that are prepared are waited for
// when something is first judged: until then much else is read.
func (p *program) compile() (*compiled, error) {
	verdict, err := ast.ParseRef(p.entrypoint)
	if err != nil {
		return nil, fmt.Errorf("compile policies: %w", err)
	}
	class := verdict[:len(verdict)-1].Append(ast.StringTerm("class")) // beside the entrypoint
	if len(p.modules) > 0 {
		compiler, _ := p.compiler()
		modules := map[string]*ast.Module{}
		for _, module := range p.modules {
			modules[module.Package.Location.File] = module
		}
		if compiler.Compile(modules); compiler.Failed() {
			return nil, fmt.Errorf("compile policies: %w", compiler.Errors)
		}
		p.reads = readsOf(compiler, refsOf(class, p.rules))
	}
	store := inmem.New()
	reading, err := store.NewTransaction(context.Background())
	if err != nil {
		return nil, fmt.Errorf("compile policies: %w", err)
	}
	return &compiled{
		rules: p.rules, questions: questionsOf(class, p.rules, p.reads), compiler: p.compiler, store: store, reading: reading, spare: sync.Pool{New: func() any { return &buffers{} }}, added: addedIn(p.modules),
		api: sync.OnceValues(func() (release.SchemaVersion, error) { return readAPI(p.compiler) }),
		lookups: sync.OnceValue(func() lookups {
			compiler, err := p.compiler()
			if err != nil {
				return lookups{}
			}
			return lookupsIn(compiler.Modules)
		}),
	}, nil
}

// addedIn returns the rules of the modules that are not of the first source, by id. Each of
// these modules is a rule.
func addedIn(modules []*ast.Module) map[string]bool {
	out := map[string]bool{}
	for _, module := range modules {
		if OriginOf(module.Package.Location).Source > 0 {
			out[pkgName(module.Package, atID)] = true
		}
	}
	return out
}

// soon begins f, and returns what waits for its result.
func soon[T any](f func() (T, error)) func() (T, error) {
	var result T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		result, err = f()
	}()
	return func() (T, error) {
		<-done
		return result, err
	}
}

// Data returns OPA's data document: the ids of the rules by category, as
// data.metadata.rules, and of those with "refuses: true" and "alone: true", as
// data.metadata.refusing and data.metadata.alone. main.rego reads them there, and so names no rule.
func (c *compiled) Data() map[string]any {
	refusing, alone, names := []any{}, []any{}, map[string]any{}
	for _, rule := range c.rules {
		of, _ := names[rule.Category].([]any)
		names[rule.Category] = append(of, rule.ID)
		if rule.Refuses {
			refusing = append(refusing, rule.ID)
		}
		if rule.Alone {
			alone = append(alone, rule.ID)
		}
	}
	return map[string]any{"metadata": map[string]any{"refusing": refusing, "alone": alone, "rules": names}}
}

// inputSchema reads the schema of the input and adds the rules' parameters, so
// that a rule which misspells a field or a parameter does not compile.
func inputSchema(source fs.FS, rules []Rule) (map[string]any, error) {
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
	params := map[string]any{}
	for _, rule := range rules {
		own := map[string]any{}
		for name, param := range rule.Params {
			own[name] = param.schema()
		}
		params[rule.ID] = closedObject(own)
	}
	properties["params"] = closedObject(params)
	return schema, nil
}

func closedObject(properties map[string]any) map[string]any {
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
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
