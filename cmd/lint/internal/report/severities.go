package report

import (
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// severities says how bad a block is: "error", or "error (warning in staging)" where tiers
// differ.
func (b block) severities() string {
	return string(b.first().Severity) + inBrackets(b.milder())
}

// milder says in which tiers a block is not as bad as in the worst: "warning in staging".
func (b block) milder() string {
	worst := b.first().Severity
	var milder []string
	for _, severity := range rules.Severities {
		var tiers []string
		for _, tier := range release.Tiers {
			if b.worstIn(tier) == severity && severity != worst {
				tiers = append(tiers, string(tier))
			}
		}
		if len(tiers) > 0 {
			milder = append(milder, string(severity)+" in "+listed(tiers))
		}
	}
	return strings.Join(milder, ", ")
}

// worstIn returns how bad a block is in a tier; empty if it has none of it.
func (b block) worstIn(tier release.Tier) rules.Severity {
	var worst rules.Severity
	for _, c := range b {
		for i := range c.findings {
			if severity, has := c.findings[i].severityIn(tier); has && (worst == "" || rank(severity) < rank(worst)) {
				worst = severity
			}
		}
	}
	return worst
}
