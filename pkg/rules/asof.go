package rules

import (
	"cmp"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// CountsFrom returns the version from which a finding counts, as v0.3.0, if spec.rulesAsOf holds it
// back until then; else "". since is the version that came to report it (custom.tightened of the
// rule's METADATA), or "" if the rule always did. A new rule is not held back if the configuration
// sets its severity: then somebody knows it.
func (e *Engine) CountsFrom(rule Rule, since string) string {
	asOf := e.config.Spec.RulesAsOf
	switch {
	case asOf == "":
		return ""
	case e.isNew(&rule):
		return canonical(rule.Since)
	case since != "" && newer(since, asOf):
		return canonical(since)
	}
	return ""
}

// isNew reports whether spec.rulesAsOf holds back all that a rule reports.
func (e *Engine) isNew(rule *Rule) bool {
	asOf := e.config.Spec.RulesAsOf
	if asOf == "" {
		return false
	}
	set := slices.ContainsFunc(release.Tiers, func(t release.Tier) bool { return e.set(rule.ID, t) != "" })
	return rule.Since != "" && newer(rule.Since, asOf) && !set
}

// newRules lists the rules that are held back as a whole.
func (e *Engine) newRules() (ids []string) {
	for _, rule := range e.rules {
		if e.isNew(&rule) {
			ids = append(ids, rule.ID)
		}
	}
	return ids
}

// heldBack lists, for the digest, what is held back: rules, and versions of others.
func (e *Engine) heldBack() []string {
	out := e.newRules()
	for _, rule := range e.rules {
		for _, t := range rule.Tightened {
			if !e.isNew(&rule) && e.CountsFrom(rule, t.Version) != "" {
				out = append(out, rule.ID+"@"+t.Version)
			}
		}
	}
	return out
}

// Severity returns a rule's severity in a tier: the configuration's for the
// tier, else for the rule, else the rule's own as of spec.rulesAsOf. A rule that is newer is
// at most a warning.
func (e *Engine) Severity(rule Rule, tier release.Tier) Severity {
	if e.isNew(&rule) {
		return e.severity(rule, tier).AtMost(Warning)
	}
	return e.severity(rule, tier)
}

// Severities returns for people the severities of the findings of a rule in a tier, as [Rule.Severities] does by default.
func (e *Engine) Severities(rule Rule, tier release.Tier) string {
	return between(e.Severity(rule, tier), e.raised(rule, tier, rule.Raise))
}

// raised returns the severity in a tier of a finding that its rule raises by some steps.
func (e *Engine) raised(rule Rule, tier release.Tier, steps int) Severity {
	return e.Severity(rule, tier).raise(e.steps(rule, tier, steps))
}

// steps returns how many of them count: where the configuration sets the severity, no finding is milder.
func (e *Engine) steps(rule Rule, tier release.Tier, steps int) int {
	if e.set(rule.ID, tier) != "" {
		return max(steps, 0)
	}
	return steps
}

// Worst returns how bad that can be, in any tier, which a waiver of a rule accepts; of a rule that there is not, nobody knows.
func (e *Engine) Worst(name string) Severity {
	worst := Error
	if i := slices.IndexFunc(e.rules, func(r Rule) bool { return r.is(name) }); i >= 0 {
		worst = e.worst(e.rules[i])
	}
	return worst
}

// worst returns how bad findings of a rule are in some tier, or may be raised to be.
func (e *Engine) worst(rule Rule) Severity {
	worst := Off
	for _, t := range release.Tiers {
		worst = worst.AtWorst(e.severity(rule, t).raise(max(rule.Raise, 0)))
	}
	return worst
}

func (e *Engine) severity(rule Rule, tier release.Tier) Severity {
	own := rule.Severity[tier]
	if asOf := e.config.Spec.RulesAsOf; asOf != "" {
		own = rule.severityAsOf(tier, asOf)
	}
	return cmp.Or(e.set(rule.ID, tier), own)
}

// set returns the severity that the configuration sets for a rule in a tier; empty if it sets none.
func (e *Engine) set(id string, tier release.Tier) Severity {
	given := e.settings[id]
	return cmp.Or(given.Tiers[tier].Severity, given.Severity)
}
