package rules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/rego"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Files beside the policies.
const (
	// SchemaFile is the JSON Schema of the input, without the parameters of rules.
	SchemaFile = rego.SchemaFile
	// PreparedFile holds the policies as the compiler leaves them. [Prepare] writes it.
	PreparedFile = rego.PreparedFile
)

// compiled are the rules of one or more sources as their METADATA describes them, what is asked of
// them, and what they have answered.
type compiled struct {
	rules    []Rule
	policies *rego.Policies
	api      func() (release.SchemaVersion, error)
	memory   rego.Memory[answer]
	spare    sync.Pool // of *buffers
	schemas  sync.Map  // see schemaOf
}

// compile reads the policies of file systems. The first one holds the library,
// the entrypoint and the schema of the input; later ones add rules. sections are the keys of an input.
func compile(sources []fs.FS, sections []string) (*compiled, error) {
	program, err := rego.Read(sources)
	if err != nil {
		return nil, err
	}
	rules, err := rulesOf(program.Rules)
	if err != nil {
		return nil, err
	}
	policies, err := program.Compile(sections, paramsSchema(rules))
	if err != nil {
		return nil, err
	}
	return &compiled{
		rules: rules, policies: policies,
		api: sync.OnceValues(func() (release.SchemaVersion, error) { return readAPI(policies) }),
	}, nil
}

// Prepare compiles the policies of a file system and returns the content of its
// [PreparedFile]. [New] uses it as long as the policies and OPA are the same.
func Prepare(_ context.Context, source fs.FS) ([]byte, error) {
	program, err := rego.Parse([]fs.FS{source})
	if err != nil {
		return nil, err
	}
	rules, err := rulesOf(program.Rules)
	if err != nil {
		return nil, err
	}
	return program.Prepare(paramsSchema(rules))
}

// Capabilities are OPA's without the builtins whose result depends on more than
// their arguments: network, clock, random numbers, environment.
func Capabilities() *ast.Capabilities { return rego.Capabilities() }

// queryOf returns what asks a rule.
func (c *compiled) queryOf(id string) *rego.Query {
	at := slices.IndexFunc(c.rules, func(r Rule) bool { return r.ID == id })
	return &c.policies.Rules[at]
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

// paramsSchema returns the JSON Schema of the parameters in an input, by rule.
func paramsSchema(rules []Rule) map[string]any {
	params := map[string]any{}
	for _, rule := range rules {
		own := map[string]any{}
		for name, param := range rule.Params {
			own[name] = param.schema()
		}
		params[rule.ID] = closedObject(own)
	}
	return closedObject(params)
}

func closedObject(properties map[string]any) map[string]any {
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
}

// Named returns the rules that an id stands for: the rule with that id, or else all
// rules with that alias. It returns none for an unknown id.
func (c *compiled) Named(id string) []Rule { return named(c.rules, id) }

// Renamed returns "the rule OLD is NEW now" for an alias, and nothing for the id of
// a rule or an unknown id.
func (c *compiled) Renamed(id string) string {
	var ids []string
	for _, rule := range c.Named(id) {
		if rule.ID == id {
			return ""
		}
		ids = append(ids, rule.ID)
	}
	if len(ids) == 0 {
		return ""
	}
	return fmt.Sprintf("the rule %s is %s now", id, strings.Join(ids, " and "))
}

// Names returns an id, followed by the aliases of the rule with that id.
func (c *compiled) Names(id string) []string {
	names := []string{id}
	for _, rule := range c.rules {
		if rule.ID == id {
			names = append(names, rule.Aliases...)
		}
	}
	return names
}

// IDs lists the ids of the rules.
func (c *compiled) IDs() []string { return c.each(func(r Rule) string { return r.ID }) }

// Categories lists the categories of the rules.
func (c *compiled) Categories() []string { return c.each(func(r Rule) string { return r.Category }) }

func (c *compiled) each(of func(Rule) string) []string {
	var out []string
	for _, rule := range c.rules {
		out = append(out, of(rule))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// readAPI reads lib.fields; nothing of policies without it.
func readAPI(policies *rego.Policies) (api release.SchemaVersion, err error) {
	err = policies.Constant("data.remedy.lib.fields.limited", &api.Limited)
	return api, errors.Join(err, policies.Constant("data.remedy.lib.fields.plain", &api.Plain))
}
