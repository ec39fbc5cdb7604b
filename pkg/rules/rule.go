package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Rule is what a policy says of itself in its METADATA.
type Rule struct {
	// ID is the name of the rule's folder, unique across categories.
	ID string
	// Category is the folder above it.
	Category string
	// Title is one line; Description is Markdown.
	Title       string
	Description string
	// Severity is the default by tier.
	Severity map[release.Tier]Severity
	// Raise is how many steps worse than Severity some findings are (milder if
	// negative); zero if all are as bad.
	Raise int
	// Params are the parameters by name, with their defaults.
	Params map[string]Param
	// Scenario names the forecast that shows the failure; empty if none does.
	// A finding about the install takes the install's scenario of a pair.
	Scenario string
	// References are pages to read on.
	References []Reference
}

// Reference is a page about a rule's subject.
type Reference struct {
	URL         string
	Description string
}

// Param is a parameter of a rule.
type Param struct {
	Type        ParamType `json:"type"`
	Default     any       `json:"default"`
	Description string    `json:"description"`
}

// ParamType is the type of a parameter's value as the configuration writes it.
type ParamType string

// The types of parameters. Rego sees a duration as a number of seconds.
const (
	ParamInteger  ParamType = "integer"
	ParamDuration ParamType = "duration"
	ParamStrings  ParamType = "strings"
)

// value checks a value as written and gives what Rego sees.
func (p Param) value(written any) (any, error) {
	switch p.Type {
	case ParamInteger:
		if n, ok := integer(written); ok {
			return n, nil
		}
		return nil, fmt.Errorf("%v is no whole number", written)
	case ParamDuration:
		text, _ := written.(string)
		d, err := time.ParseDuration(text)
		if err != nil {
			return nil, fmt.Errorf("%v is no duration such as 90s or 2h", written)
		}
		return d.Seconds(), nil
	case ParamStrings:
		list, ok := written.([]any)
		if !ok || slices.ContainsFunc(list, func(v any) bool { _, ok := v.(string); return !ok }) {
			return nil, fmt.Errorf("%v is no list of strings", written)
		}
		return list, nil
	}
	return nil, fmt.Errorf("unknown type %q: want integer, duration or strings", p.Type)
}

// schema gives the JSON schema of what Rego sees.
func (p Param) schema() map[string]any {
	if p.Type == ParamStrings {
		return map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
	}
	return map[string]any{"type": "number"}
}

func integer(v any) (int64, bool) {
	switch n := v.(type) {
	case int64:
		return n, true
	case float64:
		return int64(n), n == float64(int64(n))
	case json.Number:
		i, err := n.Int64()
		return i, err == nil
	}
	return 0, false
}

// ruleOf reads a rule from the METADATA of its package.
func ruleOf(pkg *ast.Package, meta *ast.Annotations) (Rule, error) {
	id, category := pkgName(pkg, atID), pkgName(pkg, atCategory)
	if meta == nil {
		return Rule{}, fmt.Errorf("rule %s has no METADATA of scope package", id)
	}
	rule := Rule{ID: id, Category: category, Title: meta.Title, Description: meta.Description}
	for _, r := range meta.RelatedResources {
		rule.References = append(rule.References, Reference{URL: r.Ref.String(), Description: r.Description})
	}
	var custom struct {
		Severity map[release.Tier]Severity `json:"severity"`
		Params   map[string]Param          `json:"params"`
		Scenario string                    `json:"scenario"`
		Raise    int                       `json:"raise"`
	}
	if err := convert(meta.Custom, &custom); err != nil {
		return Rule{}, fmt.Errorf("rule %s: METADATA custom: %w", id, err)
	}
	rule.Severity, rule.Params, rule.Scenario, rule.Raise = custom.Severity, custom.Params, custom.Scenario, custom.Raise
	if err := rule.validate(); err != nil {
		return Rule{}, fmt.Errorf("rule %s: METADATA: %w", id, err)
	}
	return rule, nil
}

// Severities says for people how bad findings are in a tier: "warning", or
// "warning or error" if some are raised.
func (r Rule) Severities(tier release.Tier) string {
	s := r.Severity[tier]
	if raised := s.raise(r.Raise); raised != s {
		return string(s) + " or " + string(raised)
	}
	return string(s)
}

// scenario gives the forecast that shows a finding at a path. The scenarios of
// the two halves come in pairs: upgrade-fails, install-fails.
func (r Rule) scenario(path release.Path) string {
	if len(path) > 1 && path[0] == "spec" && path[1] == "install" {
		if what, ok := strings.CutPrefix(r.Scenario, "upgrade-"); ok {
			return "install-" + what
		}
	}
	return r.Scenario
}

func (r Rule) validate() error {
	if r.Title == "" || r.Description == "" {
		return fmt.Errorf("title and description are required")
	}
	for _, tier := range release.Tiers {
		if _, err := ParseSeverity(string(r.Severity[tier])); err != nil {
			return fmt.Errorf("custom.severity.%s: %w", tier, err)
		}
	}
	for name, param := range r.Params {
		if _, err := param.value(param.Default); err != nil {
			return fmt.Errorf("custom.params.%s.default: %w", name, err)
		}
	}
	return nil
}

// convert moves a value into a struct through JSON.
func convert(from, to any) error {
	raw, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, to)
}
