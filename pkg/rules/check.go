package rules

import (
	"errors"
	"fmt"

	"github.com/flux-remedy/remedy/pkg/release"
)

// checker compares a configuration with the rules of the engine.
type checker struct {
	*compiled
	notes []string
	errs  []error
}

// check returns an error for each rule, parameter or value that the rules do not
// know, and a note for each former name that is still used.
func (c *compiled) check(config *Config) (notes []string, err error) {
	k := &checker{compiled: c}
	for _, id := range sortedKeys(config.Spec.Rules) {
		k.rule(id, config.Spec.Rules[id])
	}
	for i, entry := range config.Spec.Waivers.Entries {
		at := fmt.Sprintf("spec.waivers.entries[%d]", i)
		k.named(at, at+".rule", entry.Rule)
	}
	return k.notes, errors.Join(k.errs...)
}

func (k *checker) rule(id string, given RuleConfig) {
	at := "spec.rules." + id
	rules := k.named("spec.rules", at, id)
	if len(rules) == 0 {
		return
	}
	k.params(rules, at, "", id, given.Params)
	for _, tier := range release.Tiers {
		below := ".tiers." + string(tier)
		k.params(rules, at+below, below, id, given.Tiers[tier].Params)
	}
}

// named returns the rules that an id stands for, and records an error or a note.
// An error begins with where, the field around the id; a note begins with at, the
// id's own field.
func (k *checker) named(where, at, id string) []Rule {
	rules := k.Named(id)
	if len(rules) == 0 {
		k.errs = append(k.errs, fmt.Errorf("%s: there is no rule %q: \"flux-remedy rules\" lists them%s", where, id, unknownRule(id, k.IDs())))
	}
	if renamed := k.Renamed(id); renamed != "" {
		k.notes = append(k.notes, at+": "+renamed)
	}
	return rules
}

// unknownRule says what may be meant by an id that no rule has: one that is near, or one whose
// folder or bundle is not named.
func unknownRule(id string, ids []string) string {
	if near := DidYouMean(id, ids); near != "" {
		return near
	}
	return "; a rule of your own needs its folder or bundle in spec.policies, or --policy or --bundle"
}

// params checks the parameters that are set under an id. At is the path of the
// rule's configuration; below is ".tiers.<tier>", or empty outside of tiers.
func (k *checker) params(rules []Rule, at, below, id string, given map[string]any) {
	for _, name := range sortedKeys(given) {
		known := false
		for _, rule := range rules {
			known = k.param(rule, at+".params."+name, below, name, given[name]) || known
		}
		if !known {
			var names []string
			for _, rule := range rules {
				names = append(names, sortedKeys(rule.Params)...)
			}
			k.errs = append(k.errs, fmt.Errorf("%s.params: rule %s has no parameter %q: \"flux-remedy rules %s\" lists them%s", at, id, name, id, DidYouMean(name, names)))
		}
	}
}

// param checks the value of a parameter, and reports whether the rule has or had
// that parameter.
func (k *checker) param(rule Rule, at, below, name string, value any) bool {
	if param, ok := rule.Params[name]; ok {
		if _, err := param.value(value); err != nil {
			k.errs = append(k.errs, fmt.Errorf("%s: %w", at, err))
		}
		return true
	}
	setting, moved := rule.Moved[name]
	if !moved {
		return false
	}
	if _, err := rule.moved(map[string]any{name: value}); err != nil {
		k.errs = append(k.errs, fmt.Errorf("%s: %w", at, err))
	}
	k.notes = append(k.notes, fmt.Sprintf("%s is spec.law%s.%s now", at, below, setting))
	return true
}
