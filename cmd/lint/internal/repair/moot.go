package repair

import (
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// dropMoot tries again without the repairs that others have made needless: what has no effect
// any more stays as somebody has written it.
func (r *Repairer) dropMoot() error {
	dropped := map[string]bool{}
	for {
		moot, err := r.moot()
		if len(moot) == 0 || err != nil {
			return err
		}
		maps.Copy(dropped, moot)
		fewer := r.anew()
		fewer.planner.moot = dropped
		if err := fewer.run(); err != nil {
			return err
		}
		if !fewer.isPartOf(r.attempt) || r.planner.addsFault(r.state.Releases, fewer.state.Releases) {
			return nil
		}
		r.attempt = fewer
	}
}

// isPartOf reports whether an attempt makes some of the edits of another one, and no others.
func (a attempt) isPartOf(o attempt) bool {
	all := change{edits: o.edits()}
	mine := a.edits()
	return len(mine) < len(all.edits) && (len(mine) == 0 || all.makesAll(mine))
}

// edits returns all that an attempt has made.
func (a attempt) edits() []effective.Edit {
	var out []effective.Edit
	for _, m := range a.made {
		out = append(out, m.edits...)
	}
	return out
}

// moot returns the findings of the changes that could be taken back without any fault.
func (r *Repairer) moot() (map[string]bool, error) {
	out := map[string]bool{}
	if r.planner.Foresee == nil {
		return out, nil
	}
	was, is := byIdentity(r.before.state.Releases), byIdentity(r.state.Releases)
	for _, m := range r.made {
		needless := true
		for _, t := range m.targets {
			needed, err := r.needed(t, was[t.release], is[t.release])
			if err != nil {
				return nil, err
			}
			needless = needless && !needed
		}
		for _, t := range m.targets {
			if needless {
				out[t.key()] = true
			}
		}
	}
	return out, nil
}

// needed reports whether a release would have a fault if it still had what it had before a
// finding was repaired.
func (r *Repairer) needed(t target, was, is []judge.Release) (bool, error) {
	if !t.finding.Fix.OfRelease() {
		return true, nil // no release alone shows it
	}
	for _, old := range was { // more than one if a cluster applies it twice
		for _, now := range is {
			then, err := r.planner.Foresee(now, t.takenBack(old))
			if err != nil || r.planner.addsFault([]judge.Release{now}, []judge.Release{then}) {
				return true, err
			}
		}
	}
	return false, nil
}

// takenBack returns the edits that undo the repair of a finding.
func (t target) takenBack(was judge.Release) []rules.Edit {
	var out []rules.Edit
	for _, e := range t.finding.Fix.Set {
		value, _ := was.Value(e.Path)
		out = append(out, rules.Edit{Path: e.Path, Value: value})
	}
	return out
}

// addsFault reports whether more is found after than before: infos only count if they are
// repaired.
func (p *planner) addsFault(before, after []judge.Release) bool {
	had := map[string]target{}
	for _, r := range before {
		for _, t := range targetsOf(r) {
			had[t.key()] = t
		}
	}
	return slices.ContainsFunc(after, func(r judge.Release) bool {
		return slices.ContainsFunc(targetsOf(r), func(t target) bool {
			was, found := had[t.key()]
			return (t.finding.Severity.AtLeast(rules.Warning) || p.selects(t)) && (!found || t.worse(was))
		})
	})
}
