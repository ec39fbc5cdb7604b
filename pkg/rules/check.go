package rules

import (
	"errors"
	"fmt"
)

// Check reports what a configuration says of rules and parameters that the
// engine does not have, or with values of a wrong type.
func (e *Engine) Check(config *Config) error {
	var errs []error
	for _, id := range sortedKeys(config.Spec.Rules) {
		rule, ok := e.Rule(id)
		if !ok {
			errs = append(errs, fmt.Errorf("spec.rules: there is no rule %q: \"flux-remedy rules\" lists them", id))
			continue
		}
		given := config.Spec.Rules[id]
		errs = append(errs, rule.checkParams(given.Params, "spec.rules."+id))
		for _, tier := range Tiers {
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
