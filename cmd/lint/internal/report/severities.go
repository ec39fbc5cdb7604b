package report

import (
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
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
			milder = append(milder, string(severity)+" in "+words.List(tiers))
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

type hidden map[rules.Severity]int

func bySeverity(c rules.Counts) hidden {
	return hidden{rules.Error: c.Errors, rules.Warning: c.Warnings, rules.Info: c.Infos}
}

// texts are the counts that are not zero, each with what is said of it: "3 errors added".
func (h hidden) texts(what string) []string {
	var out []string
	for _, severity := range rules.Severities {
		if h[severity] > 0 {
			out = append(out, words.Count(h[severity], string(severity))+what)
		}
	}
	return out
}

// String returns what is not listed; empty if everything is.
func (h hidden) String() string { return strings.Join(h.texts(""), " and ") }

// hint says how to see what is not listed; empty if everything is.
func (h hidden) hint() string {
	switch h.String() {
	case "":
		return ""
	case "1 error", "1 warning", "1 info":
		return h.String() + " hidden; show it with --min-severity info"
	}
	return h.String() + " hidden; show them with --min-severity info"
}
