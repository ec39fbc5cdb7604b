package main

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// state is a tree and what the engine says of it.
type state struct {
	tree *flux.Tree
	all  []judged
}

// dissent is what is said against repairs, by a release or by nobody in
// particular.
type dissent struct {
	by  identity
	why string
}

// dissents lists what is said against repairs that lead from one state to
// another. What they are for must be gone, and every release that they change
// must agree: it is no worse than before, and one that was accepted, or was
// waived, stays what it was.
func dissents(before, after state, plan []repair) []dissent {
	wanted := map[identity][]target{}
	for _, r := range plan {
		for _, t := range r.targets {
			wanted[t.release] = append(wanted[t.release], t)
		}
	}
	was, is := byIdentity(before.all), byIdentity(after.all)
	if why := lost(before, after); why != "" {
		return []dissent{{why: why}}
	}
	if len(was) != len(is) {
		return []dissent{{why: "it would change which releases there are"}}
	}
	var out []dissent
	for _, id := range order(before.all) {
		for k, j := range was[id] {
			now := is[id]
			if len(now) == 0 {
				return []dissent{{why: "it would change which releases there are"}}
			}
			if why := objects(j, now[min(k, len(now)-1)], wanted[id], spokenFor(j, was, wanted)); why != "" {
				out = append(out, dissent{id, why})
			}
		}
	}
	return out
}

// suspects tells the repairs that have to do with what is said against them from
// the others: those for a release that says so, or of a file that decides for it.
func suspects(plan []repair, all []judged, against []dissent) (suspect, other []repair) {
	said := map[identity]bool{}
	files := map[string]bool{}
	for _, d := range against {
		said[d.by] = true
	}
	for _, j := range all {
		if !said[identityOf(j)] {
			continue
		}
		files[j.File] = true
		for _, d := range j.Decided() {
			files[d.By.File] = true
		}
	}
	for _, r := range plan {
		if slices.ContainsFunc(r.targets, func(t target) bool { return said[t.release] }) ||
			slices.ContainsFunc(r.edits, func(e flux.Edit) bool { return files[e.File] }) {
			suspect = append(suspect, r)
		} else {
			other = append(other, r)
		}
	}
	return suspect, other
}

// spokenFor tells whether a release is as bad as one of another tier that is
// repaired, in the same words: then it has no wish of its own, though its tier
// does not look for that.
func spokenFor(j judged, was map[identity][]judged, wanted map[identity][]target) bool {
	for id, targets := range wanted {
		for _, t := range targets {
			if other := was[id][0]; other.Tier != j.Tier && sameAround(j, other, t.finding.Fix.Set) {
				return true
			}
		}
	}
	return false
}

// sameAround compares what two releases have where edits write: all of
// spec.install for spec.install.strategy.name.
func sameAround(a, b judged, set []rules.Edit) bool {
	return !slices.ContainsFunc(set, func(e rules.Edit) bool {
		x, _ := a.Value(e.Path[:min(2, len(e.Path))])
		y, _ := b.Value(e.Path[:min(2, len(e.Path))])
		return !reflect.DeepEqual(x, y)
	})
}

func byIdentity(all []judged) map[identity][]judged {
	out := map[identity][]judged{}
	for _, j := range all {
		out[identityOf(j)] = append(out[identityOf(j)], j)
	}
	return out
}

// order lists the identities as they come.
func order(all []judged) []identity {
	var out []identity
	for _, j := range all {
		if id := identityOf(j); len(out) == 0 || out[len(out)-1] != id {
			out = append(out, id)
		}
	}
	return out
}

// lost tells whether something is no longer known.
func lost(before, after state) string {
	switch {
	case len(after.tree.Problems) > len(before.tree.Problems):
		return "the tree could not be read after it"
	case len(after.tree.Undetermined) > len(before.tree.Undetermined):
		return "after it this would be unknown: " + newUndetermined(before, after)
	}
	return ""
}

func newUndetermined(before, after state) string {
	for _, u := range after.tree.Undetermined {
		known := func(o flux.Undetermined) bool { return o.Release == u.Release && o.Reason == u.Reason }
		if !slices.ContainsFunc(before.tree.Undetermined, known) {
			return u.Reason
		}
	}
	return after.tree.Undetermined[0].Reason
}

// objects says what a release has against a change that is for these findings
// of it.
func objects(before, after judged, wanted []target, spokenFor bool) string {
	now := targetsOf(after)
	for _, t := range wanted {
		if slices.ContainsFunc(now, t.is) {
			return "it would still be found: something else decides " + undone(after, t).String()
		}
	}
	was, is := before.verdict.Class, after.verdict.Class
	if was != is && accepted(was) && (len(wanted) == 0 && !spokenFor || !accepted(is)) {
		return fmt.Sprintf("%s would change from class %s to %s", title(before), was, is)
	}
	if why := waived(before, after); why != "" && len(wanted) == 0 {
		return why
	}
	if weigh(after) < weigh(before) || slices.ContainsFunc(wanted, hides) {
		return ""
	}
	had := targetsOf(before)
	for _, t := range now {
		if !slices.ContainsFunc(had, t.is) {
			return fmt.Sprintf("it would bring %s to %s", t.finding.Rule, t.name)
		}
	}
	return ""
}

// undone gives the field of a repair that is not as the repair has it.
func undone(after judged, t target) release.Path {
	for _, e := range t.finding.Fix.Set {
		if now, _ := after.Value(e.Path); fmt.Sprint(now) != fmt.Sprint(e.Value) {
			return e.Path
		}
	}
	return t.finding.Path
}

// hides tells whether nothing else is found as long as this is: of an object
// that the API server refuses only that is said.
func hides(t target) bool { return t.finding.Category == "api" }

// waived says what a release no longer has that was accepted in it.
func waived(before, after judged) string {
	for _, f := range before.verdict.Findings {
		stays := func(o rules.Finding) bool { return o.Rule == f.Rule }
		if f.Waiver != nil && !slices.ContainsFunc(after.verdict.Findings, stays) {
			return fmt.Sprintf("%s has a waiver of %s: it is meant to be as it is", title(before), f.Rule)
		}
	}
	return ""
}

func accepted(c rules.Class) bool { return c == rules.ClassRetry || c == rules.ClassBounded }

// weigh counts the findings that no waiver accepts, an error for more than any
// number of warnings.
func weigh(j judged) int {
	weight := 0
	for _, f := range j.verdict.Findings {
		if f.Waiver == nil {
			weight += map[rules.Severity]int{rules.Error: 1_000_000, rules.Warning: 1_000, rules.Info: 1}[f.Severity]
		}
	}
	return weight
}
