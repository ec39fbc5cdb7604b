package rules

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

// The names that the policies and the engine agree on.
const (
	schemaFile = "input.schema.json"
	entrypoint = "data.main.verdict"
)

// policy is the compiled Rego: one prepared query and what its rules say of
// themselves.
type policy struct {
	rules []Rule
	query rego.PreparedEvalQuery
}

// compile reads the policies of file systems; the first one holds the library,
// the entrypoint and the schema of the input, later ones may add rules.
func compile(ctx context.Context, sources []fs.FS) (*policy, error) {
	modules, err := parseModules(sources)
	if err != nil {
		return nil, err
	}
	rules, err := rulesOf(modules)
	if err != nil {
		return nil, err
	}
	schema, err := inputSchema(sources[0], rules)
	if err != nil {
		return nil, err
	}
	schemas := ast.NewSchemaSet()
	schemas.Put(ast.SchemaRootRef, schema)
	options := []func(*rego.Rego){
		rego.Query(entrypoint),
		rego.Strict(true),
		rego.StrictBuiltinErrors(true),
		rego.Capabilities(capabilities()),
		rego.Schemas(schemas),
	}
	for _, module := range modules {
		options = append(options, rego.ParsedModule(module))
	}
	query, err := rego.New(options...).PrepareForEval(ctx)
	if err != nil {
		return nil, fmt.Errorf("compile policies: %w", err)
	}
	return &policy{rules: rules, query: query}, nil
}

// parseModules reads every .rego file but tests.
func parseModules(sources []fs.FS) ([]*ast.Module, error) {
	var modules []*ast.Module
	for i, source := range sources {
		before := len(modules)
		err := fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || path.Ext(name) != ".rego" || strings.HasSuffix(name, "_test.rego") {
				return err
			}
			data, err := fs.ReadFile(source, name)
			if err != nil {
				return err
			}
			// The number keeps equal names of two sources apart.
			module, err := ast.ParseModuleWithOpts(fmt.Sprintf("%d/%s", i, name), string(data),
				ast.ParserOptions{ProcessAnnotation: true, RegoVersion: ast.RegoV1})
			if err != nil {
				return err
			}
			modules = append(modules, module)
			return added(i, module)
		})
		if err != nil {
			return nil, fmt.Errorf("read policies: %w", err)
		}
		if len(modules) == before {
			return nil, fmt.Errorf("read policies: source %d holds no .rego file of a rule", i)
		}
	}
	return modules, nil
}

// added refuses what a later source cannot add: anything that would load and
// never speak.
func added(source int, module *ast.Module) error {
	if source == 0 {
		return nil
	}
	if len(module.Package.Path) != 4 || pkgName(module.Package, 1) != "rules" {
		return fmt.Errorf("%s: package %s: a rule's package is rules.<category>[\"<name>\"]",
			module.Package.Location.File, module.Package.Path)
	}
	if !slices.ContainsFunc(module.Rules, func(r *ast.Rule) bool { return r.Head.Ref().String() == "report" }) {
		return fmt.Errorf("%s: package %s has no set named report, so it would never speak",
			module.Package.Location.File, module.Package.Path)
	}
	return nil
}

// rulesOf reads the rules of the modules, sorted by category and id.
func rulesOf(modules []*ast.Module) ([]Rule, error) {
	set, errs := ast.BuildAnnotationSet(modules)
	if len(errs) > 0 {
		return nil, errs
	}
	var rules []Rule
	for _, module := range modules {
		if pkgName(module.Package, 1) != "rules" {
			continue
		}
		rule, err := ruleOf(module.Package, set.GetPackageScope(module.Package))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(rules, func(r Rule) bool { return r.ID == rule.ID }) {
			return nil, fmt.Errorf("two rules are named %s", rule.ID)
		}
		rules = append(rules, rule)
	}
	if len(rules) == 0 {
		return nil, errors.New("the policies hold no rule")
	}
	slices.SortFunc(rules, func(a, b Rule) int {
		return strings.Compare(a.Category+"/"+a.ID, b.Category+"/"+b.ID)
	})
	return rules, nil
}

// inputSchema reads the schema of the input and adds the rules' parameters, so
// that a rule which misspells a field or a parameter does not compile.
func inputSchema(source fs.FS, rules []Rule) (map[string]any, error) {
	data, err := fs.ReadFile(source, schemaFile)
	if err != nil {
		return nil, fmt.Errorf("read policies: %w", err)
	}
	var schema map[string]any
	if err := json.Unmarshal(data, &schema); err != nil {
		return nil, fmt.Errorf("read policies: %s: %w", schemaFile, err)
	}
	properties, ok := schema["properties"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("read policies: %s has no properties", schemaFile)
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

// capabilities are OPA's without the builtins whose answer depends on anything
// but their arguments: no network, no clock, no chance, no environment.
func capabilities() *ast.Capabilities {
	c := ast.CapabilitiesForThisVersion()
	c.AllowNet = []string{}
	c.Builtins = slices.DeleteFunc(c.Builtins, func(b *ast.Builtin) bool {
		return b.Nondeterministic || b.Name == ast.OPARuntime.Name || b.Name == ast.HTTPSend.Name
	})
	return c
}
