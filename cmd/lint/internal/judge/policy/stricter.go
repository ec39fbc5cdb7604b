package policy

import (
	"context"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// stricter adds to what the base is found to have what only the new policy reports of it, as of a rule that the change
// brings in, and counts what the change so has in common with it. What the policy of the base reports of the change stays
// new: a policy that finds more in the base excuses nothing.
func (c *comparison) stricter(ctx context.Context, under []judged) (judge.State, rules.Counts, error) {
	var of []judged
	var were []*effective.Release
	for _, j := range under {
		was := c.standing.was[keyOf(j.Release)]
		if was == nil || c.standing.vague[keyOf(j.Release)] || len(c.onlyNow(j)) == 0 {
			continue
		}
		controller := was.ControllerBy(c.now.Config.Config, c.now.Config.Dir(), was.ControllerFound())
		of, were = append(of, j), append(were, was.As(j.Tier, controller, rules.WaiverAnnotation, j.Annotations(rules.WaiverAnnotation)))
	}
	then, err := c.judge(ctx, c.now, were)
	known, counts := c.base.Apart(), rules.Counts{}
	for i, r := range then.Releases {
		for _, f := range c.onlyNow(of[i]) {
			was := find(r.Then().Verdict, f.Rule, f.Path)
			if was == nil || was.Waiver != nil {
				continue
			}
			if asBad(*was, f) {
				counts.Add(f.Severity, false)
			}
			known.Know(c.standing.was[keyOf(of[i].Release)], *was)
		}
	}
	return known, counts, err
}

// onlyNow lists what the new policy reports of a release of the change, and that of the base does not report as badly but
// of what it reports of the base.
func (c *comparison) onlyNow(j judged) []rules.Finding {
	if j.now == nil {
		return nil
	}
	before := c.verdictBefore(j.Release)
	return slices.DeleteFunc(slices.Clone(j.now.Findings), func(f rules.Finding) bool {
		under, was := find(j.under, f.Rule, f.Path), find(before, f.Rule, f.Path)
		old := was != nil && was.Waiver == nil
		return f.Waiver != nil || old && asBad(*was, f) ||
			under != nil && under.Waiver == nil && (asBad(*under, f) || !old || !asBad(*was, *under))
	})
}

// asBad reports whether a finding is as bad as another one of the same rule and field.
func asBad(f, as rules.Finding) bool { return f.Severity.AtLeast(as.Severity) && f.Degree >= as.Degree }
