package repair

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
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
	shared        []target              // those of them that are not repaired by a patch for many
	central       []change              // the patches for many
	rule          func(id string) (rules.Rule, bool)
	endings
}

func newReview(before, after judge.State, plan []change, rule func(id string) (rules.Rule, bool), known endings) *review {
	v := &review{
		before: before, after: after, rule: rule, endings: known,
		was: byIdentity(before.Releases), is: byIdentity(after.Releases), wanted: map[identity][]target{},
	}
	for _, c := range plan {
		for _, t := range c.targets {
			v.wanted[t.release] = append(v.wanted[t.release], t)
		}
		if c.central != nil {
			v.central = append(v.central, c)
		} else {
			v.shared = append(v.shared, c.targets...)
		}
	}
	return v
}

// objections lists the objections to the changes. The findings that they are for
// must be gone, and every release that they change must agree: it is no worse
// than before, and one that was accepted, or was waived, stays as it was.
func (v *review) objections() []objection {
	if why := v.lost(); why != "" {
		return []objection{{why: why}}
	}
	if len(v.was) != len(v.is) {
		return []objection{{why: "it would change which releases there are"}}
	}
	out := v.swept()
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
	if len(v.after.Tree.Problems) > len(v.before.Tree.Problems) {
		return "the tree could not be read after it"
	}
	known := map[release.Undetermined]int{}
	for _, u := range v.before.Tree.Undetermined {
		known[unknown(u)]++
	}
	for _, u := range v.after.Tree.Undetermined {
		if known[unknown(u)]--; known[unknown(u)] < 0 {
			return "after it this would be unknown: " + u.Reason
		}
	}
	return ""
}

// unknown returns of what is undetermined whose it is. Its line may have moved, and its
// reason may name one.
func unknown(u release.Undetermined) release.Undetermined {
	return release.Undetermined{File: u.File, Release: u.Release, Cluster: u.Cluster}
}

// objection says why a release objects; empty if it does not.
func (v *review) objection(before, after judge.Release) string {
	wanted := v.wanted[identityOf(before)]
	found := targetsOf(after)
	for _, t := range wanted {
		if slices.ContainsFunc(found, t.is) {
			return "it would still be found: something else decides " + undone(after, t).String()
		}
	}
	if why := v.touched(before, after, wanted); why != "" {
		return why
	}
	if why := waived(before, after); why != "" && len(wanted) == 0 {
		return why
	}
	if after.BlockedBy != "" && before.BlockedBy == "" {
		return fmt.Sprintf("Flux could not apply %s: %s", title(before), after.BlockedBy)
	}
	if len(after.Verdict.Open) > len(before.Verdict.Open) || len(after.Verdict.ClassOpen) > len(before.Verdict.ClassOpen) {
		return fmt.Sprintf("after it less would be known of %s", title(before))
	}
	if why := v.endsAnew(before, after, wanted); why != "" {
		return why
	}
	gone := repairedIn(before, after)
	if why := v.brought(before, after, gone); why != "" {
		return why
	}
	if len(wanted) > 0 || mends(gone) {
		return "" // a blind wait succeeds in every scenario, until it is repaired
	}
	if ends := v.scenarios(before.Release.Release, after.Release.Release, worse); len(ends) > 0 && !v.repairedInAnotherTier(before) {
		return fmt.Sprintf("scenario %s would end worse for %s", ends[0], title(before))
	}
	return ""
}

// swept lists the releases that a patch for many changes although it is not for them, and
// that are not as those are: what they set themselves there would have no effect.
func (v *review) swept() []objection {
	var out []objection
	for _, c := range v.central {
		for _, other := range c.others(v.before, v.after) {
			as := v.was[other.release][0]
			if !sameAround(as, v.was[c.targets[0].release][0], c.central.set) {
				out = append(out, objection{other.release, fmt.Sprintf("%s has settings of its own there", other.title)})
			}
		}
	}
	return out
}

// touched says what becomes of a release that was accepted as it was. It is changed only
// in what its own repairs write, and keeps an accepted class.
func (v *review) touched(before, after judge.Release, wanted []target) string {
	was, is := before.Verdict.Class, after.Verdict.Class
	changed := changedFields(nil, before.Object, after.Object)
	if len(changed) == 0 || !accepted(was) || accepted(is) && v.repairedInAnotherTier(before) {
		return ""
	}
	own := func(at release.Path) bool {
		return slices.ContainsFunc(wanted, func(t target) bool { return t.writes(at) })
	}
	for _, at := range changed {
		if own(at) && accepted(is) {
			continue
		}
		if was != is {
			return fmt.Sprintf("%s would change from class %s to %s", title(before), was, is)
		}
		return fmt.Sprintf("%s is accepted as class %s, and its %s would change", title(before), was, at)
	}
	return ""
}

// endsAnew says which scenario ends otherwise although the repair is only to correct what
// has no effect; empty if none does.
func (v *review) endsAnew(before, after judge.Release, wanted []target) string {
	only := func(t target) bool { return t.finding.Fix.Corrects && !hidesOthers(t) }
	if len(wanted) == 0 || slices.ContainsFunc(wanted, func(t target) bool { return !only(t) }) {
		return ""
	}
	if ends := v.scenarios(before.Release.Release, after.Release.Release, otherwise); len(ends) > 0 {
		return fmt.Sprintf("what it removes has an effect: scenario %s would end otherwise for %s", ends[0], title(before))
	}
	return ""
}

// repairedIn lists the findings of a release that are gone.
func repairedIn(before, after judge.Release) []target {
	now := targetsOf(after)
	return slices.DeleteFunc(targetsOf(before), func(t target) bool { return slices.ContainsFunc(now, t.is) })
}

// mends reports whether findings are gone that are more than infos.
func mends(gone []target) bool {
	return slices.ContainsFunc(gone, func(t target) bool { return t.finding.Severity.AtLeast(rules.Warning) })
}

// brought says what is found of a release that was not found before, or is worse; empty
// if nothing is. What a repaired finding has hidden or leaves behind is not new, nor is what is
// milder than it: an error that becomes an info is less. But no repair puts data at risk.
func (v *review) brought(before, after judge.Release, gone []target) string {
	had := targetsOf(before)
	var left []string // rules
	for _, t := range targetsOf(after) {
		risky := t.finding.Category == dataSafety && !slices.ContainsFunc(had, func(o target) bool { return o.finding.Rule == t.finding.Rule && !t.worse(o) })
		switch at := slices.IndexFunc(had, t.is); {
		case !risky && at >= 0 && !t.worse(had[at]):
		case !risky && v.explained(t, before, after, gone):
			left = append(left, t.finding.Rule)
		case at < 0:
			return fmt.Sprintf("it would bring %s to %s", t.finding.Rule, t.title)
		default:
			return fmt.Sprintf("it would make %s of %s worse", t.finding.Rule, t.title)
		}
	}
	if least := leastOf(gone); weigh(after, least) > weigh(before, least) && !slices.ContainsFunc(gone, hidesOthers) {
		return fmt.Sprintf("%s would have %s after it: repair that, too", title(before), words.List(words.Distinct(left)))
	}
	return ""
}

// dataSafety is the category of what can delete or corrupt data.
const dataSafety = "data-safety"

// explained reports whether a finding that is new or worse is less than one that is gone, or
// related to it by METADATA.
func (v *review) explained(now target, before, after judge.Release, gone []target) bool {
	if rule, _ := v.rule(now.finding.Rule); rule.Accepted && !accepted(before.Verdict.Class) && accepted(after.Verdict.Class) {
		return true
	}
	return slices.ContainsFunc(gone, func(t target) bool {
		was, _ := v.rule(t.finding.Rule)
		switch {
		case hidesOthers(t), t.finding.Severity.Rank() < now.finding.Severity.Rank(), slices.Contains(was.Leaves, now.finding.Rule):
			return true
		case slices.Contains(was.Hides, now.finding.Rule):
			return slices.Equal(section(t.finding.Path), section(now.finding.Path))
		}
		return slices.Contains(was.Nearer, now.finding.Rule) && slices.Equal(t.finding.Path, now.finding.Path)
	})
}

// section returns the first two steps of a path, such as spec.install.
func section(path release.Path) release.Path { return path[:min(2, len(path))] }

// repairedInAnotherTier reports whether a release has the same settings as one of
// another tier that is repaired. Nobody has chosen them for this tier, though its
// rules do not mind them.
func (v *review) repairedInAnotherTier(r judge.Release) bool {
	return slices.ContainsFunc(v.shared, func(t target) bool {
		other := v.was[t.release][0]
		return other.Tier != r.Tier && sameAround(r, other, t.finding.Fix.Set)
	})
}

// sameAround compares what two releases have where edits write: all of
// spec.install for spec.install.strategy.name.
func sameAround(a, b judge.Release, set []rules.Edit) bool {
	return !slices.ContainsFunc(set, func(e rules.Edit) bool {
		x, known := a.Subject(e.Object)
		y, knownToo := b.Subject(e.Object)
		if !known || !knownToo {
			return true
		}
		was, _ := x.Value(e.Path[:min(2, len(e.Path))])
		is, _ := y.Value(e.Path[:min(2, len(e.Path))])
		return !reflect.DeepEqual(was, is)
	})
}

// undone returns the field of a fix that is not as the fix has it.
func undone(after judge.Release, t target) release.Path {
	for _, e := range t.finding.Fix.Set {
		if now, _ := after.ValueIn(e.Object, e.Path); fmt.Sprint(now) != fmt.Sprint(e.Value) {
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

// leastOf returns the least severity that counts against what is gone: infos do not count against what is more.
func leastOf(gone []target) rules.Severity {
	if mends(gone) {
		return rules.Warning
	}
	return rules.Info
}

// weigh counts the findings of a severity or worse that no waiver accepts, an error for
// more than any number of warnings.
func weigh(r judge.Release, least rules.Severity) int {
	weight := 0
	for _, f := range r.Verdict.Findings {
		if f.Waiver == nil && f.Severity.AtLeast(least) {
			weight += map[rules.Severity]int{rules.Error: 1_000_000, rules.Warning: 1_000, rules.Info: 1}[f.Severity]
		}
	}
	return weight
}
