package repair

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Foresee judges a release as if its object was edited, without looking at the tree.
type Foresee func(judge.Release, []rules.Edit) (judge.Release, error)

// together makes all repairs in one round, also those of what is found only once something
// else is repaired: looking at the tree is what takes long. It reports whether it did; if
// anybody objects, repairs are made one by one from then on.
func (a *attempt) together() (bool, error) {
	p := &a.planner
	if p.apart || p.Foresee == nil {
		return false, nil
	}
	if central, _ := p.centralChanges(a.state.Releases, a.files); len(central) > 0 {
		return false, nil // they may make others needless
	}
	p.apart = true
	plan, err := p.series(a.state.Releases, a.files)
	if len(plan) == 0 || err != nil {
		return false, err
	}
	plans := [][]change{withoutRepeats(plan), plan}
	if len(plans[0]) == len(plan) {
		plans = plans[1:]
	}
	for _, plan := range plans {
		files, next, against, err := a.try(plan)
		if err != nil {
			return false, err
		}
		if len(against) == 0 {
			p.apart = false
			return true, a.accept(plan, files, next)
		}
	}
	return false, nil
}

// series returns the changes for all that is to be repaired; none if one of them cannot be
// made, or not beside another.
func (p *planner) series(all []judge.Release, files *Files) ([]change, error) {
	plan := changes{same: map[string]int{}}
	for _, r := range all {
		targets, err := p.seriesOf(r)
		if err != nil {
			return nil, err
		}
		for _, t := range targets {
			if p.add(&plan, t, files) != nil {
				return nil, nil
			}
		}
	}
	out := p.sorted(plan.all)
	for i, c := range out {
		if slices.ContainsFunc(out[:i], func(other change) bool { return clash(other, c) != "" }) {
			return nil, nil
		}
	}
	return out, nil
}

// seriesOf returns the findings of a release that are repaired one after the other, the
// worst first, and those that may be repaired by the same edits as another release's. What
// comes after the first is left to later rounds if it would bring anything that is not milder.
func (p *planner) seriesOf(r judge.Release) ([]target, error) {
	var out, first []target // first is what is found after the first repair
	var set []rules.Edit
	open := p.targetsOf(r)
	others := slices.DeleteFunc(slices.Clone(open), func(t target) bool { return !p.wants(t) || p.selects(t) })
	for {
		next := p.worst(open)
		if next == nil || slices.ContainsFunc(out, next.is) {
			break
		}
		out, set = append(out, *next), append(set, next.finding.Fix.Set...)
		after, err := p.Foresee(r, set)
		if err != nil {
			return nil, err
		}
		if open = targetsOf(after); len(out) == 1 {
			first = open
		}
	}
	brings := func(t target) bool {
		at := slices.IndexFunc(first, t.is)
		milder := func(than target) bool { return rank(than.finding.Severity) < rank(t.finding.Severity) }
		return at < 0 && slices.ContainsFunc(out[1:], func(o target) bool { return !milder(o) }) || at >= 0 && t.worse(first[at])
	}
	if len(out) > 1 && slices.ContainsFunc(open, brings) {
		out = out[:1]
	}
	return append(out, others...), nil
}

// worst returns the worst of findings that are to be repaired; nil if there is none.
func (p *planner) worst(open []target) *target {
	var out *target
	for _, t := range open {
		if p.wants(t) && p.selects(t) && (out == nil || rank(t.finding.Severity) < rank(out.finding.Severity)) {
			out = &t
		}
	}
	return out
}
