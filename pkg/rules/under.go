package rules

import (
	"errors"
	"fmt"

	"github.com/flux-remedy/remedy/pkg/release"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Under gives an engine that judges by the same policies under a configuration,
// which must not change any more. It refuses one that names rules or parameters
// that the engine does not have, or gives them values of a wrong type.
func (e *Engine) Under(config *Config) (*Engine, error) {
	if err := e.check(config); err != nil {
		return nil, err
	}
	under := &Engine{compiled: e.compiled, config: config, params: map[release.Tier]*ast.Term{}}
	for _, tier := range release.Tiers {
		params, err := e.valuesIn(config, tier)
		if err != nil {
			return nil, err
		}
		under.params[tier] = ast.NewTerm(params)
	}
	return under, nil
}

func (e *Engine) check(config *Config) error {
	var errs []error
	for _, id := range sortedKeys(config.Spec.Rules) {
		rule, ok := e.Rule(id)
		if !ok {
			errs = append(errs, fmt.Errorf("spec.rules: there is no rule %q: \"flux-remedy rules\" lists them", id))
			continue
		}
		given := config.Spec.Rules[id]
		errs = append(errs, rule.checkParams(given.Params, "spec.rules."+id))
		for _, tier := range release.Tiers {
			errs = append(errs, rule.checkParams(given.Tiers[tier].Params, "spec.rules."+id+".tiers."+string(tier)))
		}
	}
	for i, entry := range config.Spec.Waivers.Entries {
		if _, ok := e.Rule(entry.Rule); !ok {
			errs = append(errs, fmt.Errorf("spec.waivers.entries[%d]: there is no rule %q: \"flux-remedy rules\" lists them", i, entry.Rule))
		}
	}
	return errors.Join(errs...)
}

func (r Rule) checkParams(given map[string]any, at string) error {
	var errs []error
	for _, name := range sortedKeys(given) {
		param, ok := r.Params[name]
		if !ok {
			errs = append(errs, fmt.Errorf("%s.params: rule %s has no parameter %q: \"flux-remedy rules %s\" lists them", at, r.ID, name, r.ID))
			continue
		}
		if _, err := param.value(given[name]); err != nil {
			errs = append(errs, fmt.Errorf("%s.params.%s: %w", at, name, err))
		}
	}
	return errors.Join(errs...)
}

// valuesIn returns every rule's parameters in a tier, by rule and name, as Rego
// sees them.
func (c *compiled) valuesIn(config *Config, tier release.Tier) (ast.Value, error) {
	all := make(map[string]any, len(c.rules))
	for _, rule := range c.rules {
		given := config.Spec.Rules[rule.ID]
		own := make(map[string]any, len(rule.Params))
		for name, param := range rule.Params {
			written := param.Default
			for _, params := range []map[string]any{given.Params, given.Tiers[tier].Params} {
				if value, ok := params[name]; ok {
					written = value
				}
			}
			value, err := param.value(written)
			if err != nil {
				return nil, fmt.Errorf("spec.rules.%s: parameter %s: %w", rule.ID, name, err)
			}
			own[name] = value
		}
		all[rule.ID] = own
	}
	return ast.InterfaceToValue(all)
}
