package report

import (
	"cmp"
	"slices"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// Policy is what a change makes of the policy that it is judged by.
type Policy struct {
	// InForce is what judges now, Base what judged the state before.
	rules.InForce
	Base rules.InForce `json:"base"`
	// Changes are all changes of the policy, also those that excuse nothing.
	Changes []PolicyChange `json:"changes"`
	// Weakened are findings of the rule policy-weakened: one for each line that
	// excuses what the policy of the base would report.
	Weakened []Finding `json:"weakened"`
}

// PolicyChange is one change of what decides how releases are judged.
type PolicyChange struct {
	// What has changed: a field of the configuration, a waiver, the tier of
	// releases, the controller of a cluster, a rule, a baseline.
	What string `json:"what"`
	// Before and After are for people; one of them is empty for what has come or
	// gone.
	Before string `json:"before"`
	After  string `json:"after"`
	// File and Line are those of the new state, the line 0 if it is not known.
	File string `json:"file"`
	Line int    `json:"line"`
}

// judgedBy says in a line what judges now; in none if nothing does.
func (p Policy) judgedBy() []string {
	if by := p.InForce.Judged(); by != "" {
		return []string{by}
	}
	return nil
}

// String says what has changed: "spec.defaultTier: not set, now development".
func (c PolicyChange) String() string {
	return c.What + ": " + cmp.Or(c.Before, "not set") + ", now " + cmp.Or(c.After, "not set")
}

// written says what has changed, and where.
func (c PolicyChange) written() string { return c.String() + inBrackets(place(c.File, c.Line, 0)) }

// hint says how to accept what weakens the policy; empty if that is accepted, or nothing does.
func (p Policy) hint() string {
	if !slices.ContainsFunc(p.Weakened, func(f Finding) bool { return f.Severity != rules.Info }) {
		return ""
	}
	return "--allow-policy-change accepts this, after whoever may change the policy has looked at it"
}
