package report

import (
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Violating says of a finding that remains what hid it: a rule that reports on accepted
// classes only says nothing of a release that was of none.
const Violating = "class violating"

// remain sets aside what is left of findings that a change has repaired in part: the rule that
// is gone covered the fault, by the relations in the METADATA of the base, and was as bad.
// Where the release gets worse in the forecast of any scenario, or its tier changes,
// nothing is set aside.
func (p pair) remain(c *Change, rule func(string) (rules.Rule, bool)) {
	worse := func(f ForecastChange) bool { return f.Trend == Worse }
	if rule == nil || p.before.Tier != p.after.Tier || slices.ContainsFunc(c.Forecasts, worse) {
		return
	}
	gained := []Finding{}
	for _, f := range c.Gained {
		if was := p.part(*c, f, rule); was != "" {
			f.Was = was
			c.Remaining = append(c.Remaining, f)
		} else {
			gained = append(gained, f)
		}
	}
	c.Gained = gained
}

// part returns the lost rule that covered a new finding, or [Violating]; "" if nothing did.
func (p pair) part(c Change, f Finding, rule func(string) (rules.Rule, bool)) string {
	unchanged := reflect.DeepEqual(p.before.at(f.Steps), p.after.at(f.Steps))
	i := slices.IndexFunc(c.Lost, func(old Finding) bool {
		was, known := rule(old.Rule)
		return known && old.Waived == nil && old.Severity.AtLeast(f.Severity) && was.Covers(old.Steps, f.Rule, f.Steps, unchanged)
	})
	now, _ := rule(f.Rule)
	switch {
	case f.Was != "" || f.Waived != nil:
		return ""
	case i >= 0:
		return c.Lost[i].Rule
	case now.Accepted && p.before.Class == rules.ClassViolating && unchanged && c.losesAsBad(f):
		return Violating
	}
	return ""
}

// losesAsBad reports whether something as bad as a new finding is gone.
func (c Change) losesAsBad(f Finding) bool {
	return slices.ContainsFunc(c.Lost, func(old Finding) bool { return old.Waived == nil && old.Severity.AtLeast(f.Severity) })
}

// at returns the value at a path of the effective release; nil if there is none.
func (j *Judged) at(path release.Path) any { return path.In(map[string]any{"spec": j.Spec}) }

// repairs are the findings that are gone from a release that is still there, not only
// waived, and not traded for what is as bad, which a waiver excuses elsewhere, and not in the same field. Of a
// release that loses its class less is reported.
func (c Change) repairs() []Finding {
	if c.Before == nil || c.After == nil || c.After.Class == rules.ClassViolating && c.Before.Class != rules.ClassViolating {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.Lost), func(f Finding) bool {
		return f.Waived != nil || slices.ContainsFunc(c.Gained, func(g Finding) bool { return (g.Waived == nil || g.Path == f.Path) && g.Severity.AtLeast(f.Severity) })
	})
}

// leaves reports whether something remains of a lost finding.
func (c Change) leaves(lost Finding) bool {
	return slices.ContainsFunc(c.Remaining, func(f Finding) bool { return f.Was == lost.Rule })
}

// excuses reports whether a finding is gone from a release only because the policy changes.
func (p Policy) excuses(c Change, lost Finding) bool {
	return slices.ContainsFunc(p.Weakened, func(f Finding) bool {
		return slices.ContainsFunc(f.Excuses, func(e Excuse) bool {
			return e.Rule == lost.Rule && e.Release == c.Name.String() && e.Cluster == c.Cluster
		})
	})
}
