package report

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// pair is one release before and after; one of them may be nil.
type pair struct {
	before, after *Judged
	guessed       bool // the one before may be another release
	eases         bool // what is milder now is a change, too
	suspended     bool // it is suspended now
	suspends      bool // and was not before
}

// change returns what changes, given what the states before and after do not
// tell and which causes were known.
func (p pair) change(were, are gaps, known knownCauses, rule func(string) (rules.Rule, bool), forecasts forecast.Memory) Change {
	now := cmp.Or(p.after, p.before)
	c := Change{
		Name: now.Name, Cluster: now.Cluster, File: now.File, Line: now.Line,
		From: p.former(), Before: stateOf(p.before), After: stateOf(p.after), Inherited: []Finding{}, Forecasts: []ForecastChange{},
		Suspended: p.suspended, suspends: p.suspends,
	}
	if p.before != nil {
		c.Uninstall = p.before.Uninstall
	}
	c.Gained, c.Lost = findingChanges(findingsOf(p.before), findingsOf(p.after))
	if p.eases {
		c.Eased = eased(findingsOf(p.before), findingsOf(p.after))
	}
	if p.after != nil { // not known is not gone
		c.Lost = slices.DeleteFunc(c.Lost, func(f Finding) bool { return slices.Contains(p.after.Open, f.Rule) })
	}
	if p.lapsed() {
		c.Unknown = are.hides(p.before)
	}
	if c.Unknown != nil {
		c.Uninstall = nil
	}
	if c.Unknown != nil || now.Class == rules.ClassUnknown && p.after != nil {
		c.Lost = []Finding{} // not known is not gone
	}
	unchanged := p.unchanged()
	if unchanged && are.limits(p.after) {
		c.Lost = []Finding{} // what depends on others in the cluster is not looked for
	}
	if p.begun() {
		c.WasUnknown = were.hides(p.after)
		c.inherit(known, p.after)
	}
	if c.WasUnknown != nil || p.begun() && p.before != nil || unchanged && were.limits(p.before) {
		for i := range c.Gained {
			c.Gained[i].Was = Unjudged
		}
	}
	for i, f := range c.Gained {
		if p.before != nil && slices.Contains(p.before.Open, f.Rule) {
			c.Gained[i].Was = Unjudged
		}
	}
	if p.before != nil && p.after != nil {
		c.Forecasts = forecastChanges(p.before, p.after, forecasts)
		p.remain(&c, rule)
	}
	return c
}

// unchanged reports whether a release is judged as it was: what is found of it now and was not, or was and is
// not, is about others.
func (p pair) unchanged() bool {
	return p.before != nil && p.after != nil && p.before.Tier == p.after.Tier && p.before.Class == p.after.Class &&
		p.before.content() == p.after.content() && reflect.DeepEqual(p.before.Controller, p.after.Controller)
}

// former returns how the release was known before; nil if as it is now.
func (p pair) former() *Former {
	if p.before == nil || p.after == nil || p.before.Name == p.after.Name && p.before.Cluster == p.after.Cluster {
		return nil
	}
	return &Former{p.before.Name, p.before.Cluster}
}

func stateOf(j *Judged) *State {
	if j == nil {
		return nil
	}
	return &State{j.Tier, j.Class}
}

func findingsOf(j *Judged) []Finding {
	if j == nil {
		return nil
	}
	return j.Findings
}

// Milder says of a finding what it was if only its degree is worse.
const Milder = "milder"

// findingChanges matches findings of one release by rule and path, never by
// line or message. The worst that is new comes first.
func findingChanges(before, after []Finding) (gained, lost []Finding) {
	type key struct{ rule, path string }
	was, is := map[key]Finding{}, map[key]Finding{}
	for _, f := range before {
		was[key{f.Rule, f.Path}] = f
	}
	gained, lost = []Finding{}, []Finding{}
	for _, f := range after {
		k := key{f.Rule, f.Path}
		is[k] = f
		old, known := was[k]
		switch {
		case known && old.Waived == nil && f.Waived != nil:
			lost = append(lost, f)
		case !known:
			gained = append(gained, f)
		case old.Waived != nil && f.Waived == nil:
			f.Was = "waived"
			gained = append(gained, f)
		case !old.Severity.AtLeast(f.Severity):
			f.Was = string(old.Severity)
			gained = append(gained, f)
		case f.Waived == nil && f.Degree > old.Degree:
			f.Was = Milder
			gained = append(gained, f)
		}
	}
	for _, f := range before {
		if _, still := is[key{f.Rule, f.Path}]; !still && f.Waived == nil {
			lost = append(lost, f)
		}
	}
	slices.SortStableFunc(gained, func(a, b Finding) int {
		return a.Severity.Rank() - b.Severity.Rank()
	})
	return gained, lost
}

// eased returns the findings that were worse before, by rule and path.
func eased(before, after []Finding) []Finding {
	var out []Finding
	for _, f := range after {
		i := slices.IndexFunc(before, func(old Finding) bool { return old.Rule == f.Rule && old.Path == f.Path })
		if i >= 0 && before[i].Waived == nil && f.Waived == nil && !f.Severity.AtLeast(before[i].Severity) {
			f.Was = string(before[i].Severity)
			out = append(out, f)
		}
	}
	return out
}
