package rules

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/places"
	"github.com/flux-remedy/remedy/pkg/rules/internal/rego"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Under returns an engine with the same policies and another configuration, which
// must not be changed afterwards. An unknown rule or parameter and a value of a
// wrong type are errors. Former names still work; see [Engine.Notes].
func (e *Engine) Under(config *Config) (*Engine, error) {
	notes, err := e.check(config)
	if err != nil {
		return nil, err
	}
	under := &Engine{
		compiled: e.compiled, config: config, notes: notes, bundle: e.bundle, together: &rego.Memory[told]{},
		settings: e.settingsOf(config.Spec.Rules), limits: map[release.Tier]func() (limits, error){},
	}
	for _, tier := range release.Tiers {
		made := sync.OnceValues(func() (limits, error) { return under.limitsIn(tier) })
		under.limits[tier] = made
		if !under.asWritten() {
			if _, err := made(); err != nil {
				return nil, err
			}
		}
	}
	return under, nil
}

// asWritten reports whether the parameters of all rules are those of METADATA, which are
// valid: then the limits of a tier are made when something is judged in it.
func (e *Engine) asWritten() bool {
	return len(e.config.Spec.Rules) == 0 && e.config.Spec.RulesAsOf == ""
}

// limitsOf returns the limits of a tier.
func (e *Engine) limitsOf(tier release.Tier) (limits, error) {
	made, ok := e.limits[tier]
	if !ok {
		return limits{}, fmt.Errorf("there is no tier %q", tier)
	}
	return made()
}

// Notes returns a sentence for each former name that the configuration uses, with
// the name it has now.
func (e *Engine) Notes() []string { return e.notes }

// limits are the law and the parameters of a tier, as parts of the input.
type limits struct {
	law    places.Sealed
	off    places.Sealed // the rules that report nothing
	params places.Sealed // by rule and name

	stateful map[string]bool // the law's charts
}

// settingsOf returns the configuration of each rule by its id. Where an alias and
// the id set the same field, the id wins.
func (c *compiled) settingsOf(given map[string]RuleConfig) map[string]RuleConfig {
	settings := map[string]RuleConfig{}
	for _, rule := range c.rules {
		for _, alias := range rule.Aliases {
			settings[rule.ID] = settings[rule.ID].with(given[alias])
		}
		settings[rule.ID] = settings[rule.ID].with(given[rule.ID])
	}
	return settings
}

func (e *Engine) limitsIn(tier release.Tier) (limits, error) {
	law, err := e.lawIn(tier)
	if err != nil {
		return limits{}, err
	}
	params, err := e.paramsIn(tier)
	if err != nil {
		return limits{}, err
	}
	term, err := places.TermOf(places.Plain(reflect.ValueOf(law)))
	if err != nil {
		return limits{}, err
	}
	stateful := map[string]bool{}
	for _, name := range law.StatefulCharts {
		stateful[name] = true
	}
	off, err := places.TermOf(e.offIn(tier))
	if err != nil {
		return limits{}, err
	}
	return limits{places.Seal(term), places.Seal(off), places.Seal(ast.NewTerm(params)), stateful}, nil
}

// offIn returns the rules that report nothing in a tier.
func (e *Engine) offIn(tier release.Tier) map[string]any {
	out := map[string]any{}
	for _, rule := range e.rules {
		if e.Severity(rule, tier) == Off || e.isNew(&rule) {
			out[rule.ID] = true
		}
	}
	return out
}

// lawIn returns the law in a tier: the default, then former parameters of rules
// that are settings of the law now, then spec.law. Later ones win.
func (e *Engine) lawIn(tier release.Tier) (Law, error) {
	law := DefaultLaw()
	for _, rule := range e.rules {
		for _, params := range e.settings[rule.ID].paramsIn(tier) {
			moved, err := rule.moved(params)
			if err != nil {
				return law, fmt.Errorf("spec.rules.%s: %w", rule.ID, err)
			}
			law = law.with(moved)
		}
	}
	given := e.config.Spec.Law
	return law.with(given.LawSetting).with(given.Tiers[tier]), nil
}

// Law returns the law in a tier.
func (e *Engine) Law(tier release.Tier) Law {
	law, _ := e.lawIn(tier) // Under has checked it
	return law
}

// Param returns a parameter of a rule in a tier as METADATA or the configuration writes it.
func (e *Engine) Param(rule Rule, name string, tier release.Tier) any {
	written := rule.defaultAsOf(name, e.config.Spec.RulesAsOf)
	for _, params := range e.settings[rule.ID].paramsIn(tier) {
		if value, ok := params[name]; ok {
			written = value
		}
	}
	return written
}

// paramsIn returns every rule's parameters in a tier, by rule and name.
func (e *Engine) paramsIn(tier release.Tier) (ast.Value, error) {
	all := make(map[string]any, len(e.rules))
	for _, rule := range e.rules {
		own := make(map[string]any, len(rule.Params))
		for name, param := range rule.Params {
			value, err := param.value(e.Param(rule, name, tier))
			if err != nil {
				return nil, fmt.Errorf("spec.rules.%s: parameter %s: %w", rule.ID, name, err)
			}
			own[name] = value
		}
		all[rule.ID] = own
	}
	return ast.InterfaceToValue(all)
}
