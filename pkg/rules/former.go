package rules

import (
	"errors"
	"fmt"
	"slices"
)

// Former holds the names that older configurations, waivers and baselines use for a
// rule and its parameters.
type Former struct {
	// Aliases are ids that the rule, or a part of it, had before. An id that
	// several rules have as an alias stands for all of them.
	Aliases []string `json:"aliases"`
	// Moved maps each former parameter to the setting of spec.law that it is now.
	Moved map[string]string `json:"moved"`
}

func named(rules []Rule, id string) []Rule {
	if at := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == id }); at >= 0 {
		return rules[at : at+1 : at+1]
	}
	return slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return !slices.Contains(r.Aliases, id) })
}

// is reports whether an id is the rule's own or one of its aliases.
func (r Rule) is(id string) bool { return r.ID == id || slices.Contains(r.Aliases, id) }

// moved returns the settings of the law that are still written as parameters of the
// rule.
func (r Rule) moved(params map[string]any) (setting LawSetting, err error) {
	for _, name := range sortedKeys(r.Moved) {
		value, ok := params[name]
		if !ok {
			continue
		}
		if err := setting.set(r.Moved[name], value); err != nil {
			return setting, err
		}
	}
	return setting, setting.validate()
}

// checkNames refuses two rules with one id, and an alias that is a rule's id.
func checkNames(rules []Rule) error {
	if len(rules) == 0 {
		return errors.New("the policies hold no rule")
	}
	seen := map[string]Rule{}
	for _, rule := range rules {
		if first, taken := seen[rule.ID]; taken {
			if first.Origin.Source > rule.Origin.Source {
				first, rule = rule, first
			}
			return rule.wrong("", fmt.Errorf("two rules are named %s: rename this one, the other is of the category %s", rule.ID, first.Category))
		}
		seen[rule.ID] = rule
	}
	for _, rule := range rules {
		for _, alias := range rule.Aliases {
			if _, taken := seen[alias]; taken {
				return rule.wrong("custom.aliases", fmt.Errorf("%s is a rule", alias))
			}
		}
	}
	return nil
}
