package repair

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// checkLaws checks what holds for every repair of every tree: nothing is changed that was
// not promised, nothing gets worse, and what was accepted stays.
func checkLaws(t *testing.T, before judge.State, f *Repairer) {
	t.Helper()
	promised, after := f.promised(), byIdentity(f.state.Releases)
	for id, releases := range byIdentity(before.Releases) {
		for i, r := range releases {
			now := after[id][min(i, len(after[id])-1)]
			for _, at := range changedFields(nil, r.Object, now.Object) {
				if !slices.ContainsFunc(promised, func(p release.Path) bool { return below(p, at) || below(at, p) }) {
					t.Errorf("%s: %s is changed, which no repair promises", title(r), at)
				}
			}
			checkNeverWorse(t, r, now, f.repairs(id))
			checkBrings(t, r, now, f)
			checkAccepted(t, before, r, now, f)
		}
	}
	if len(f.state.Tree.Undetermined) > len(before.Tree.Undetermined) || len(f.state.Tree.Problems) > len(before.Tree.Problems) {
		t.Error("less is known after the repairs")
	}
	checkSafe(t, before, after, f)
	checkMoot(t, before, f)
	for _, m := range f.made {
		if rest := m.inForce(after); len(rest) < len(m.edits) {
			t.Errorf("%v are written, and only %v take part in a repair", m.edits, rest)
		}
	}
}

// repairs lists what is repaired of a release.
func (f *Repairer) repairs(id identity) []target {
	var out []target
	for _, m := range f.made {
		for _, t := range m.targets {
			if t.release == id {
				out = append(out, t)
			}
		}
	}
	return out
}

// checkNeverWorse compares the class, the findings and, unless it is repaired itself, the
// forecasts of a release.
func checkNeverWorse(t *testing.T, was, now judge.Release, repaired []target) {
	t.Helper()
	if accepted(was.Verdict.Class) && !accepted(now.Verdict.Class) {
		t.Errorf("%s was of class %s and is %s", title(was), was.Verdict.Class, now.Verdict.Class)
	}
	one := func(r judge.Release) judge.State { return judge.State{Releases: []judge.Release{r}} }
	refused := slices.ContainsFunc(repaired, func(t target) bool { return t.finding.Category == "api" })
	if !refused && compareFindings(one(now), one(was)) > 0 {
		t.Errorf("%s had %v and has %v", title(was), countFindings(one(was)), countFindings(one(now)))
	}
	if len(repaired) > 0 || was.Settings == nil || now.Settings == nil || accepted(was.Verdict.Class) {
		return
	}
	for _, scenario := range forecast.Scenarios() {
		if forecast.EndingOf(*now.Settings, now.Controller, scenario).Worse(forecast.EndingOf(*was.Settings, was.Controller, scenario)) {
			t.Errorf("%s ends worse in scenario %s", title(was), scenario.Name)
		}
	}
}

// checkBrings checks that safe repairs bring no error and no warning but those that METADATA relates to one that
// is gone.
func checkBrings(t *testing.T, was, now judge.Release, f *Repairer) {
	t.Helper()
	gone, had := repairedIn(was, now), targetsOf(was)
	for _, brought := range targetsOf(now) {
		rule, _ := f.planner.Rule(brought.finding.Rule)
		related := func(of target) bool {
			before, _ := f.planner.Rule(of.finding.Rule)
			return hidesOthers(of) || slices.Contains(slices.Concat(before.Leaves, before.Hides, before.Nearer), brought.finding.Rule)
		}
		if !f.planner.Unsafe && !rule.Accepted && brought.finding.Severity.AtLeast(rules.Warning) && !slices.ContainsFunc(had, brought.is) && !slices.ContainsFunc(gone, related) {
			t.Errorf("%s: a safe repair brings %s", title(was), brought.finding.Rule)
		}
	}
}

// checkAccepted checks that a release that was accepted has what it had, but for what its
// own findings are repaired by, or those of the same text in another tier.
func checkAccepted(t *testing.T, before judge.State, was, now judge.Release, f *Repairer) {
	t.Helper()
	if !accepted(was.Verdict.Class) {
		return
	}
	mine := func(t target) bool { return t.release == identityOf(was) }
	twin := func(t target) bool {
		i := slices.IndexFunc(before.Releases, func(r judge.Release) bool { return identityOf(r) == t.release })
		return before.Releases[i].Tier != was.Tier && before.Releases[i].File == was.File
	}
	for _, at := range changedFields(nil, was.Object, now.Object) {
		if !slices.ContainsFunc(f.made, func(m made) bool {
			return slices.ContainsFunc(m.targets, func(t target) bool { return (mine(t) || m.central == nil && twin(t)) && t.writes(at) })
		}) {
			t.Errorf("%s was accepted as %s, and its %s is changed", title(was), was.Verdict.Class, at)
		}
	}
}

// checkAgain checks that a second run has nothing to repair.
func checkAgain(t *testing.T, f *Repairer, dir string) {
	t.Helper()
	again, err := New(f.state, []string{dir}, f.planner.Options, f.look)
	if err != nil {
		t.Fatal(err)
	}
	again.planner.Central = f.before.planner.Central
	if err := again.Run(); err != nil || len(again.made) > 0 {
		t.Errorf("a second run repairs %v, error %v", again.made, err)
	}
}

// checkSafe checks that no repair puts data at risk or, where only safe ones were asked for,
// replaces what is written or takes a comment away.
func checkSafe(t *testing.T, before judge.State, after map[identity][]judge.Release, f *Repairer) {
	t.Helper()
	for _, r := range before.Releases {
		now := after[identityOf(r)][0]
		had := map[string]bool{}
		for _, of := range targetsOf(r) {
			had[of.finding.Rule] = true
		}
		for _, of := range targetsOf(now) {
			if of.finding.Category == dataSafety && !had[of.finding.Rule] {
				t.Errorf("%s: a repair brings %s", title(r), of.finding.Rule)
			}
		}
		checkHuman(t, f, r, now)
		if f.planner.Unsafe {
			continue
		}
		for _, at := range changedFields(nil, r.Object, now.Object) {
			corrected := func(of target) bool { return of.finding.Fix.Corrects && of.writes(at) }
			if slices.ContainsFunc(f.repairs(identityOf(r)), corrected) {
				continue
			}
			if was, written := r.Value(at); written && was != nil && reflect.TypeOf(was).Kind() != reflect.Map {
				t.Errorf("%s: a safe repair replaces %s: %v", title(r), at, was)
			}
		}
	}
	if lost := f.before.files.Lost(f.files); len(lost) > 0 && !f.planner.Unsafe {
		t.Errorf("safe repairs take away %v", lost)
	}
}

// checkHuman checks that a release needs a human in no scenario in which it needed none, unless help
// says so of an unsafe repair of it, or the summary of what unsafe repairs do together.
func checkHuman(t *testing.T, f *Repairer, was, now judge.Release) {
	t.Helper()
	repairs, said := f.repairs(identityOf(was)), []string{}
	if len(repairs) == 0 { // in another tier
		for id := range byIdentity(f.state.Releases) {
			if id.name == identityOf(was).name {
				repairs = append(repairs, f.repairs(id)...)
			}
		}
	}
	for _, of := range repairs {
		if help := Remedies(judge.State{}, nil, false)(of.of, of.finding); help.Cost != nil && f.planner.Unsafe {
			said = append(said, help.Cost().NeedsHuman...)
		}
	}
	needs := humansNeeded(was, now)
	if f.planner.Unsafe && slices.ContainsFunc(f.remarks(), func(m remark) bool {
		return m.release == identityOf(was) && strings.Contains(m.text, words.First(needs, 3, "scenario"))
	}) {
		return
	}
	unsaid := slices.DeleteFunc(needs, func(s string) bool { return slices.Contains(said, s) })
	if len(unsaid) > 0 {
		t.Errorf("%s: after %v %v need a human, and help says %v", title(was), repairs, unsaid, said)
	}
}

// humansNeeded names the scenarios in which a human is needed for a release after repairs, and was not
// before: the law's own way to know it, beside that of what it holds to it.
func humansNeeded(was, now judge.Release) []string {
	var out []string
	for _, s := range forecast.Scenarios() {
		var needs [2]bool
		for i, r := range []judge.Release{was, now} {
			needs[i] = r.Settings != nil && forecast.Run(*r.Settings, r.Controller, s, forecast.Options{}).Outcome.NeedsHuman
		}
		if was.Settings != nil && !needs[0] && needs[1] {
			out = append(out, s.Name)
		}
	}
	return out
}

// checkMoot checks that no info is repaired unless its rule is named, none that a repair has
// brought, and nothing that the other repairs make needless.
func checkMoot(t *testing.T, before judge.State, f *Repairer) {
	t.Helper()
	for _, m := range f.made {
		wanted := func(of target) bool {
			found := func(r judge.Release) bool { return slices.ContainsFunc(targetsOf(r), of.is) }
			return of.finding.Severity != rules.Info || f.planner.Rules.Names(of.finding.Rule) && slices.ContainsFunc(before.Releases, found)
		}
		if !slices.ContainsFunc(m.targets, wanted) {
			t.Errorf("%v are repaired, which nobody asked for", m.targets)
		}
	}
	made := f.Diff()
	if err := f.dropMoot(); err != nil || !bytes.Equal(f.Diff(), made) {
		t.Errorf("something is written that other repairs make needless; error %v", err)
	}
}
