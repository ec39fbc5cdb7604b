package rules

import (
	"cmp"
	"errors"
	"maps"

	"github.com/flux-remedy/remedy/pkg/release"
)

// RuleSetting changes the severity and the parameters of a rule.
type RuleSetting struct {
	// Severity is error, warning, info or off. No finding of the rule is milder.
	Severity Severity `json:"severity,omitempty"`
	// Params replace the rule's parameters of the same names.
	Params map[string]any `json:"params,omitempty"`
}

// RuleConfig changes a rule in all tiers, and in single ones.
type RuleConfig struct {
	RuleSetting `json:",inline"`
	// Tiers overrides it in a tier.
	Tiers map[release.Tier]RuleSetting `json:"tiers,omitempty"`
}

// with returns the setting with another one over it.
func (r RuleSetting) with(more RuleSetting) RuleSetting {
	params := map[string]any{}
	maps.Copy(params, r.Params)
	maps.Copy(params, more.Params)
	return RuleSetting{Severity: cmp.Or(more.Severity, r.Severity), Params: params}
}

// with returns the configuration with another one over it, tier by tier.
func (r RuleConfig) with(more RuleConfig) RuleConfig {
	all := RuleConfig{RuleSetting: r.RuleSetting.with(more.RuleSetting), Tiers: map[release.Tier]RuleSetting{}}
	for _, tier := range release.Tiers {
		all.Tiers[tier] = r.Tiers[tier].with(more.Tiers[tier])
	}
	return all
}

// paramsIn returns the parameters of a tier; those of later maps win.
func (r RuleConfig) paramsIn(tier release.Tier) []map[string]any {
	return []map[string]any{r.Params, r.Tiers[tier].Params}
}

func (r RuleConfig) validate() error {
	errs := []error{r.RuleSetting.validate()}
	for tier, setting := range r.Tiers {
		_, err := release.ParseTier(string(tier))
		errs = append(errs, err, setting.validate())
	}
	return errors.Join(errs...)
}

func (r RuleSetting) validate() error {
	if r.Severity == "" {
		return nil
	}
	_, err := ParseSeverity(string(r.Severity))
	return err
}
