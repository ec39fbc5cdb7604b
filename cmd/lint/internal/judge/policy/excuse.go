package policy

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// excuse is a finding that counts under the policy of the base, and not as much under
// the new one.
type excuse struct {
	judged
	rules.Finding
	// waiver is what accepts it under the new policy; nil if it is not found there, or
	// is milder.
	waiver *rules.Waiver
}

// excused lists what only the new policy excuses. A waiver that holds longer than that
// of the base excuses too.
func (c *comparison) excused(all []judged) []excuse {
	var out []excuse
	for _, j := range all {
		for _, f := range j.under.Findings {
			found := j.finding(f)
			switch {
			case found == nil && (f.Waiver != nil || c.replaced(j, f)):
			case found == nil:
				out = append(out, excuse{j, f, nil})
			case found.Waiver != nil && (f.Waiver == nil || longer(*found.Waiver, *f.Waiver)):
				out = append(out, excuse{j, f, found.Waiver})
			case f.Waiver == nil && found.Waiver == nil && (!found.Severity.AtLeast(f.Severity) || f.CountsFrom == "" && found.CountsFrom != ""):
				out = append(out, excuse{j, f, nil})
			}
		}
	}
	return out
}

// replaced reports whether the new policy finds something as bad in the place of a
// finding, that is new to the release. Where a change is allowed, that need not fail: it takes the place of nothing that the
// change makes.
func (c *comparison) replaced(j judged, f rules.Finding) bool {
	if j.now == nil {
		return false
	}
	before := c.verdictBefore(j.Release)
	if was := find(before, f.Rule, f.Path); c.opts.Allowed && (was == nil || !was.Severity.AtLeast(f.Severity) || was.Degree < f.Degree) {
		return false
	}
	return slices.ContainsFunc(j.now.Findings, func(g rules.Finding) bool {
		return g.Waiver == nil && g.Severity.AtLeast(f.Severity) && find(j.under, g.Rule, g.Path) == nil && find(before, g.Rule, g.Path) == nil
	})
}

// verdictBefore returns the verdict that the release of the base has.
func (c *comparison) verdictBefore(r *effective.Release) rules.Verdict {
	was := c.standing.was[keyOf(r)]
	i := slices.IndexFunc(c.base.Releases, func(b judge.Release) bool { return b.Release == was })
	if i < 0 {
		return rules.Verdict{}
	}
	return c.base.Releases[i].Then().Verdict
}

// finding returns what the new policy makes of a finding; nil if it finds nothing.
func (j judged) finding(f rules.Finding) *rules.Finding {
	if j.now == nil {
		return nil
	}
	return find(*j.now, f.Rule, f.Path)
}

func find(v rules.Verdict, rule string, at release.Path) *rules.Finding {
	for i := range v.Findings {
		if v.Findings[i].Rule == rule && v.Findings[i].Path.String() == at.String() {
			return &v.Findings[i]
		}
	}
	return nil
}

// longer reports whether a waiver holds longer than another one.
func longer(a, b rules.Waiver) bool { return b.Until.String() < a.Until.String() }
