package repair

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// objection is why changes are not to be made. By is the release that objects;
// empty if the tree as a whole would suffer.
type objection struct {
	by  identity
	why string
}

// review compares the states before and after changes.
type review struct {
	before, after judge.State
	was, is       map[identity][]judge.Release
	wanted        map[identity][]target // the findings that the changes are for
}

func newReview(before, after judge.State, plan []change) *review {
	v := &review{
		before: before, after: after,
		was: byIdentity(before.Releases), is: byIdentity(after.Releases), wanted: map[identity][]target{},
	}
	for _, c := range plan {
		for _, t := range c.targets {
			v.wanted[t.release] = append(v.wanted[t.release], t)
		}
	}
	return v
}

// objections lists the objections to the changes. The findings that they are for
// must be gone, and every release that they change must agree: it is no worse
// than before, and one that was accepted, or was waived, stays what it was.
func (v *review) objections() []objection {
	if why := v.lost(); why != "" {
		return []objection{{why: why}}
	}
	if len(v.was) != len(v.is) {
		return []objection{{why: "it would change which releases there are"}}
	}
	var out []objection
	for _, id := range order(v.before.Releases) {
		for i, was := range v.was[id] {
			now := v.is[id]
			if len(now) == 0 {
				return []objection{{why: "it would change which releases there are"}}
			}
			if why := v.objection(was, now[min(i, len(now)-1)]); why != "" {
				out = append(out, objection{id, why})
			}
		}
	}
	return out
}

// order lists the identities as they come.
func order(all []judge.Release) []identity {
	var out []identity
	for _, r := range all {
		if id := identityOf(r); len(out) == 0 || out[len(out)-1] != id {
			out = append(out, id)
		}
	}
	return out
}

// lost says what is no longer known after the changes; empty if nothing.
func (v *review) lost() string {
	switch {
	case len(v.after.Tree.Problems) > len(v.before.Tree.Problems):
		return "the tree could not be read after it"
	case len(v.after.Tree.Undetermined) > len(v.before.Tree.Undetermined):
		return "after it this would be unknown: " + v.newlyUndetermined()
	}
	return ""
}

func (v *review) newlyUndetermined() string {
	for _, u := range v.after.Tree.Undetermined {
		known := func(o release.Undetermined) bool { return o.Release == u.Release && o.Reason == u.Reason }
		if !slices.ContainsFunc(v.before.Tree.Undetermined, known) {
			return u.Reason
		}
	}
	return v.after.Tree.Undetermined[0].Reason
}

// objection says why a release objects; empty if it does not.
func (v *review) objection(before, after judge.Release) string {
	wanted, now := v.wanted[identityOf(before)], targetsOf(after)
	for _, t := range wanted {
		if slices.ContainsFunc(now, t.is) {
			return "it would still be found: something else decides " + undone(after, t).String()
		}
	}
	was, is := before.Verdict.Class, after.Verdict.Class
	if was != is && accepted(was) && (len(wanted) == 0 && !v.repairedInAnotherTier(before) || !accepted(is)) {
		return fmt.Sprintf("%s would change from class %s to %s", title(before), was, is)
	}
	if why := waived(before, after); why != "" && len(wanted) == 0 {
		return why
	}
	if weigh(after) < weigh(before) || slices.ContainsFunc(wanted, hidesOthers) {
		return ""
	}
	had := targetsOf(before)
	for _, t := range now {
		if !slices.ContainsFunc(had, t.is) {
			return fmt.Sprintf("it would bring %s to %s", t.finding.Rule, t.title)
		}
	}
	return ""
}

// repairedInAnotherTier reports whether a release has the same settings as one of
// another tier that is repaired. Nobody has chosen them for this tier, though its
// rules do not mind them.
func (v *review) repairedInAnotherTier(r judge.Release) bool {
	for id, targets := range v.wanted {
		for _, t := range targets {
			if other := v.was[id][0]; other.Tier != r.Tier && sameAround(r, other, t.finding.Fix.Set) {
				return true
			}
		}
	}
	return false
}

// sameAround compares what two releases have where edits write: all of
// spec.install for spec.install.strategy.name.
func sameAround(a, b judge.Release, set []rules.Edit) bool {
	return !slices.ContainsFunc(set, func(e rules.Edit) bool {
		x, _ := a.Value(e.Path[:min(2, len(e.Path))])
		y, _ := b.Value(e.Path[:min(2, len(e.Path))])
		return !reflect.DeepEqual(x, y)
	})
}

// undone returns the field of a fix that is not as the fix has it.
func undone(after judge.Release, t target) release.Path {
	for _, e := range t.finding.Fix.Set {
		if now, _ := after.Value(e.Path); fmt.Sprint(now) != fmt.Sprint(e.Value) {
			return e.Path
		}
	}
	return t.finding.Path
}

// hidesOthers reports whether nothing else is found as long as this is: of an
// object that the API server refuses, only that is reported.
func hidesOthers(t target) bool { return t.finding.Category == "api" }

// waived says what a release no longer has that was accepted in it.
func waived(before, after judge.Release) string {
	for _, f := range before.Verdict.Findings {
		stays := func(o rules.Finding) bool { return o.Rule == f.Rule }
		if f.Waiver != nil && !slices.ContainsFunc(after.Verdict.Findings, stays) {
			return fmt.Sprintf("%s has a waiver of %s: it is meant to be as it is", title(before), f.Rule)
		}
	}
	return ""
}

func accepted(c rules.Class) bool { return c == rules.ClassRetry || c == rules.ClassBounded }

// weigh counts the findings that no waiver accepts, an error for more than any
// number of warnings.
func weigh(r judge.Release) int {
	weight := 0
	for _, f := range r.Verdict.Findings {
		if f.Waiver == nil {
			weight += map[rules.Severity]int{rules.Error: 1_000_000, rules.Warning: 1_000, rules.Info: 1}[f.Severity]
		}
	}
	return weight
}

// splitByObjection separates the changes that have to do with objections from the
// others: those for a release that objects, or in a file that decides for it.
func splitByObjection(plan []change, all []judge.Release, against []objection) (suspect, other []change) {
	objects := map[identity]bool{}
	for _, o := range against {
		objects[o.by] = true
	}
	files := map[string]bool{}
	for _, r := range all {
		if !objects[identityOf(r)] {
			continue
		}
		files[r.File] = true
		for _, d := range r.Decided() {
			files[d.By.File] = true
		}
	}
	for _, c := range plan {
		if slices.ContainsFunc(c.targets, func(t target) bool { return objects[t.release] }) ||
			slices.ContainsFunc(c.edits, func(e flux.Edit) bool { return files[e.File] }) {
			suspect = append(suspect, c)
		} else {
			other = append(other, c)
		}
	}
	return suspect, other
}
