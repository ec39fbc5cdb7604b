package repair

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// checkLaws checks what holds for every repair of every tree: nothing is changed that was
// not promised, nothing gets worse, what was accepted stays, and no line is touched that
// an edit does not name.
func checkLaws(t *testing.T, before judge.State, f *Repairer, was, is map[string][]byte) {
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
			checkAccepted(t, before, r, now, f)
		}
	}
	if len(f.state.Tree.Undetermined) > len(before.Tree.Undetermined) || len(f.state.Tree.Problems) > len(before.Tree.Problems) {
		t.Error("less is known after the repairs")
	}
	for name := range was {
		checkLines(t, name, was[name], is[name], f)
	}
	checkOverridden(t, before, after, f)
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

// checkOverridden checks that a patch for many overrides nothing that a release which it is
// not for sets itself.
func checkOverridden(t *testing.T, before judge.State, after map[identity][]judge.Release, f *Repairer) {
	t.Helper()
	for _, r := range before.Releases {
		now := after[identityOf(r)][0]
		for _, m := range f.made {
			if m.central == nil || slices.ContainsFunc(f.repairs(identityOf(r)), func(target) bool { return true }) {
				continue
			}
			for _, e := range m.central.set {
				own, set := r.Value(section(e.Path))
				was, _ := r.Value(e.Path)
				if is, _ := now.Value(e.Path); set && own != nil && !reflect.DeepEqual(was, is) {
					t.Errorf("%s sets %s itself, and a patch that is not for it changes %s", title(r), section(e.Path), e.Path)
				}
			}
		}
	}
}

// checkLines checks that every line that is gone from a file names a field that an edit
// of it names, or was an empty mapping of one.
func checkLines(t *testing.T, name string, was, is []byte, f *Repairer) {
	t.Helper()
	if bytes.Equal(was, is) {
		return
	}
	keys := map[string]bool{}
	for _, m := range f.made {
		for _, e := range m.edits {
			for _, step := range e.At {
				for _, key := range step.Path {
					if text, ok := key.(string); ok && strings.HasSuffix(e.File, name) {
						keys[text] = true
					}
				}
			}
		}
	}
	left := map[string]int{}
	for line := range strings.Lines(string(is)) {
		left[line]++
	}
	gone := -1 // indentation of the last line that is gone and named: what is below it goes too
	for line := range strings.Lines(string(was)) {
		if left[line]--; left[line] >= 0 {
			gone = -1
			continue
		}
		words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" :{}[],\"'\n", r) })
		switch named := slices.ContainsFunc(words, func(word string) bool { return keys[word] || word == "op" }); {
		case named:
			gone = indent(line)
		case gone < 0 || strings.TrimSpace(line) != "" && indent(line) <= gone:
			t.Errorf("%s: the line %q is gone, which no edit names", name, line)
		}
	}
	checkNewLines(t, name, was, is, f)
}

// checkNewLines checks that every line that has come into a file says nothing that no edit
// of it says, and that it did not say before.
func checkNewLines(t *testing.T, name string, was, is []byte, f *Repairer) {
	t.Helper()
	said := map[string]bool{}
	for _, m := range f.made {
		for _, e := range m.edits {
			if strings.HasSuffix(e.File, name) {
				for _, word := range wordsOf(fmt.Sprint(e.At, e.Value)) {
					said[word] = true
				}
			}
		}
	}
	had := map[string]int{}
	for line := range strings.Lines(string(was)) {
		had[line]++
		for _, word := range wordsOf(line) {
			said[word] = said[word] || keysSaid(said, line)
		}
	}
	for line := range strings.Lines(string(is)) {
		if had[line]--; had[line] >= 0 {
			continue
		}
		words := wordsOf(line)
		if len(words) == 0 && !strings.Contains(line, "-") || slices.ContainsFunc(words, func(word string) bool { return !said[word] }) {
			t.Errorf("%s: the line %q has come, which no edit says", name, line)
		}
	}
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" :{}[],\"'|\n-", r) })
}

// keysSaid reports whether a line says something of an edit.
func keysSaid(said map[string]bool, line string) bool {
	return slices.ContainsFunc(wordsOf(line), func(word string) bool { return said[word] })
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
// replaces what is written; stays so until someone acts in another scenario, or takes a comment away.
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
		if needs := needingHuman(r.Release.Release, now.Release.Release); len(needs) > 0 && len(f.repairs(identityOf(r))) > 0 {
			t.Errorf("%s: after a safe repair %v need a human", title(r), needs)
		}
	}
	if lost := f.before.files.Lost(f.files); len(lost) > 0 && !f.planner.Unsafe {
		t.Errorf("safe repairs take away %v", lost)
	}
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
