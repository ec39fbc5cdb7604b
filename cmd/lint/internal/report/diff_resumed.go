package report

import (
	"cmp"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// resumed has the releases that are suspended now, and were there before, as they will be when they are resumed,
// and returns both sides so. What the change makes worse is no better for waiting, and what it hides is not
// repaired. One that was suspended and is not now is as new: nothing was said of it before.
func resumed(all []pair, before, after Side) (Side, Side) {
	for i := range all {
		p := &all[i]
		if p.before == nil || p.after == nil || p.after.Resumed == nil {
			continue
		}
		p.suspended, p.suspends = true, p.before.Resumed == nil
		before, after = before.resumed(p.before), after.resumed(p.after)
		p.before, p.after = cmp.Or(p.before.Resumed, p.before), p.after.Resumed
	}
	return before, after
}

// resumed returns the side with a release as it will be when it is resumed.
func (s Side) resumed(j *Judged) Side {
	if j.Resumed == nil {
		return s
	}
	of := func(u release.Undetermined) bool {
		return u.Rules != "" && u.Release == j.Name.String() && u.Cluster == j.Cluster && u.File == j.File && u.Line == j.Line
	}
	s.Undetermined = slices.DeleteFunc(slices.Clone(s.Undetermined), of)
	for _, u := range s.Resumed {
		if of(u) {
			s.Undetermined = append(s.Undetermined, u)
		}
	}
	return s
}
