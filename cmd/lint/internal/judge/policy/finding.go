package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Rule describes the findings of this package. It is no policy in Rego, and no
// configuration can change it.
var Rule = rules.Rule{
	ID: "policy-weakened", Category: "policy", Title: "A change excuses what the policy of its base reports",
	Description: description, Help: "Let whoever may change the policy look at it and pass --allow-policy-change (in CI an input of that name), or take the change of the policy back.",
	Severity: map[release.Tier]rules.Severity{
		release.Production: rules.Error, release.Staging: rules.Error, release.Development: rules.Error,
	},
}

const description = `A pull request can change the policy that it is judged by: it adds a waiver, switches a rule off, puts a release in a milder
tier, gives helm-controller another version or feature gate, or has the bundle of rules verified by other keys. ` + "`flux-remedy diff` and `lint --new-from`" + ` therefore judge
the new state under the policy of the base as well. What is found there, and is not found, milder or waived under the new
policy, is excused by the change, and reported at the line that excuses it. It is an error, however
mild what is excused: the next change would be judged by it. So is what excuses nothing yet: a rule that is milder or allows more, a higher
limit of ` + "`spec.law`" + `, a milder tier, an entry of ` + "`spec.undetermined.accept`" + ` that reaches further or holds longer, a glob of
` + "`spec.ignore`" + `. Other keys are an error whatever the bundle holds: who has signed it may switch off any rule later. A waiver is as bad as its rule
can be in any tier, and what only a new release or an unknown helm-controller excuses as the worst of it. Where the base has
no configuration, its policy is the defaults.

Whoever may change the policy looks at the line and runs again with ` + "`--allow-policy-change`" + `: then it is an info. No
configuration, waiver or baseline accepts it, because a change could add those too.
`

// findings makes one finding for each change of the policy that excuses something: as bad as what it may excuse, which the next
// change could use.
func (c *comparison) findings(all []explained, loose []loosening) []report.Finding {
	out := []report.Finding{}
	for _, group := range words.Alike[[]explained](all, func(e explained) report.PolicyChange { return e.by }) {
		by, excuses := group[0].by, words.Of(group, func(e explained) excuse { return e.excuse })
		excused := slices.MinFunc(excuses, bySeverity).Severity
		why, severity := "this excuses "+excusesText(excuses), worstOf(loose, by)
		for _, e := range excuses {
			severity = severity.AtWorst(c.mayExcuse(e, by))
		}
		if severity != excused {
			why += ", and may excuse what later changes bring"
		}
		f := c.weakened(by, why, severity)
		for _, e := range excuses {
			f.Excuses = append(f.Excuses, report.Excuse{Rule: e.Rule, Release: e.ID().String(), Cluster: e.Cluster, Severity: e.Severity})
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b report.Finding) int {
		return strings.Compare(fmt.Sprintf("%s:%09d %s", a.File, a.Line, a.Message), fmt.Sprintf("%s:%09d %s", b.File, b.Line, b.Message))
	})
	return out
}

// mayExcuse returns how bad that can be which a change excuses as it does one finding. A waiver accepts what its rule finds; what a
// field of the configuration or a rule excuses may be anything.
func (c *comparison) mayExcuse(e excuse, by report.PolicyChange) rules.Severity {
	switch {
	case e.waiver != nil:
		return c.worst(e.Rule)
	case slices.ContainsFunc(c.settings, func(s setting) bool { return s.PolicyChange == by }),
		slices.Contains(ruleChanges(c.base.Rules, c.now.Rules), by):
		return rules.Error
	}
	return e.Severity
}

// worst returns how bad that can be which a waiver of a rule accepts.
func (c *comparison) worst(rule string) rules.Severity {
	return c.base.Engine.Worst(rule).AtWorst(c.now.Engine.Worst(rule))
}

// signerFindings makes one finding for each change by which others may sign the bundle.
func (c *comparison) signerFindings() []report.Finding {
	why := otherSigners(c.base.Signers, c.now.Signers)
	if why == "" {
		return nil
	}
	changes := signerChanges(c.base.Signers, c.now.Signers)
	for _, s := range c.settings {
		if s.is("policies", "verifyKeys") {
			changes = append(changes, s.PolicyChange)
		}
	}
	return words.Of(changes, func(change report.PolicyChange) report.Finding { return c.weakened(change, why, rules.Error) })
}

// weakened makes the finding of a change, which is an info if it is allowed.
func (c *comparison) weakened(by report.PolicyChange, why string, severity rules.Severity) report.Finding {
	if c.opts.Allowed {
		severity = rules.Info
	}
	return report.Finding{
		Rule: Rule.ID, Category: Rule.Category, Severity: severity, Message: by.String() + "; " + why,
		Position: report.Position{File: by.File, Line: by.Line, Exact: true},
		Subject:  report.Subject{Tiers: []release.Tier{}, Clusters: []string{}},
	}
}

// bySeverity orders excuses, the worst first.
func bySeverity(a, b excuse) int {
	return a.Severity.Rank() - b.Severity.Rank()
}

// excusesText says what is excused: "error no-recovery in apps/a and apps/b of cluster
// prod; warning late-retry in apps/a".
func excusesText(excuses []excuse) string {
	type group struct {
		severity      rules.Severity
		rule, cluster string
	}
	all := words.Alike[[]excuse](excuses, func(e excuse) group { return group{e.Severity, e.Rule, e.Cluster} })
	slices.SortStableFunc(all, func(a, b []excuse) int { return bySeverity(a[0], b[0]) })
	return some(words.Of(all, func(of []excuse) string {
		e := of[0]
		part := fmt.Sprintf("%s %s in %s", e.Severity, e.Rule, some(words.Distinct(words.Of(of, func(e excuse) string { return e.ID().String() }))))
		if e.Cluster != "" {
			part += " of cluster " + e.Cluster
		}
		return part
	}))
}

// most is how many names a sentence has.
const most = 4

// some joins names: "a, b and 3 more".
func some(names []string) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
