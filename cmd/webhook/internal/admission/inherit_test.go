package admission

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission/admissiontest"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// judgedAlone is a release judged as if it were created, with its errors.
type judgedAlone struct {
	*release.Release
	class rules.Class
	fixes []rules.Fix
	// errors are the findings of severity error by rule and field. The value is the
	// number of retries for too-many-retries, else 0.
	errors map[string]float64
	paths  map[string]release.Path // of the errors
}

func judgeAlone(t *testing.T, p *Judge, object map[string]any) judgedAlone {
	t.Helper()
	alone, err := hearingOf(p).decode(decoded(t, raw(t, object)))
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := p.Engine.Evaluate(t.Context(), alone, day)
	if err != nil {
		t.Fatal(err)
	}
	out := judgedAlone{Release: alone, class: verdict.Class, errors: map[string]float64{}, paths: map[string]release.Path{}}
	for _, finding := range verdict.Findings {
		if finding.Severity != rules.Error {
			continue
		}
		number := 0.0
		if finding.Rule == "too-many-retries" {
			number = finding.Path.In(object).(float64)
		}
		place := finding.Path.String()
		if finding.Rule == "no-recovery" {
			place = "" // one fault of the whole release, reported at different fields
		}
		out.errors[finding.Rule+" "+place], out.paths[finding.Rule+" "+place] = number, finding.Path
		if finding.Fix != nil {
			out.fixes = append(out.fixes, *finding.Fix)
		}
	}
	return out
}

// hearingOf returns a hearing of any release in production.
func hearingOf(p *Judge) *hearing {
	return &hearing{Judge: p, Review: &Review{Namespace: "apps"}, tier: release.Production, now: day}
}

func decoded(t *testing.T, raw runtime.RawExtension) map[string]any {
	t.Helper()
	out := map[string]any{}
	if err := json.Unmarshal(raw.Raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// within reports whether all errors are among the others, none of them worse.
func within(errors, others map[string]float64) bool {
	for key, number := range errors {
		if other, ok := others[key]; !ok || number > other {
			return false
		}
	}
	return true
}

// decideUpdate returns the decision on an update.
func decideUpdate(t *testing.T, p *Judge, from, to map[string]any) *Decision {
	t.Helper()
	r := reviewOf(t, &admissionv1.AdmissionRequest{Operation: admissionv1.Update, Namespace: "apps", Object: raw(t, to), OldObject: raw(t, from)})
	d, err := p.Decide(t.Context(), r, release.Production, day)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// standing ranks what runs at the end: the higher, the better. After a first install
// nothing is as good as a failed version; after an upgrade it is worse.
func standing(timeline forecast.Timeline, first bool) int {
	uninstalled := slices.ContainsFunc(timeline.Steps, func(s forecast.Step) bool { return s.Action == forecast.Uninstall })
	if !first && uninstalled {
		return -1 // its data was deleted, whatever came after
	}
	if timeline.Outcome.Reason == "backoff" {
		return 1 // the failed and the old version alternate
	}
	switch timeline.Outcome.Running {
	case forecast.Nothing:
		if !first {
			return 0
		}
		return 1
	case forecast.FailedNew, forecast.FailedOld:
		return 1
	case forecast.OldVersion:
		return 2
	}
	return 3
}

// lost reports whether a release does not recover by itself: Flux gives up, or it
// alternates between versions without end.
func lost(timeline forecast.Timeline) bool {
	return timeline.Outcome.NeedsHuman || timeline.Outcome.Reason == "backoff"
}

// worsened returns the first of some scenarios that ends worse for one release than for
// another and is better in no respect; empty if there is none. It compares forecasts,
// which know no rules.
func worsened(from, to judgedAlone, scenarios []forecast.Scenario) string {
	for _, scenario := range scenarios {
		if !scenario.Failing() {
			continue
		}
		first := strings.Contains(scenario.Name, "install") || scenario.Name == "record-deleted"
		a := forecast.Run(*from.Settings, from.Controller, scenario, forecast.Options{})
		b := forecast.Run(*to.Settings, to.Controller, scenario, forecast.Options{})
		stands, falls := standing(b, first)-standing(a, first), lost(b) && !lost(a)
		if helped := lost(a) && !lost(b); !helped && stands <= 0 && (stands < 0 || falls) {
			return fmt.Sprintf("%s: %s; before: %s", scenario.Name, b.Outcome, a.Outcome)
		}
	}
	return ""
}

// everyday are the scenarios that every rule of the law is about.
func everyday(t *testing.T) (out []forecast.Scenario) {
	t.Helper()
	for _, name := range []string{"install-fails", "install-fails-once", "upgrade-fails", "upgrade-fails-once"} {
		scenario, err := forecast.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, scenario)
	}
	return out
}

// touches reports whether an update changes the field of an error that the old object did
// not have, unless from one word to another, or makes one that it had worse.
func touches(from, to map[string]any, a, b judgedAlone) bool {
	for key, number := range b.errors {
		before, had := a.errors[key]
		if had && number > before {
			return true
		}
		path := b.paths[key]
		if words := word(path.In(from)) && word(path.In(to)); !had && !words && !reflect.DeepEqual(path.In(from), path.In(to)) {
			return true
		}
	}
	return false
}

// TestInheritanceLaw changes random releases at random and checks each decision
// without using inherit.go: by comparing the findings of both releases, each judged
// alone, and the forecasts of both.
func TestInheritanceLaw(t *testing.T) {
	p := newJudge(t)
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for range 500 {
		from := admissiontest.RandomObject(random)
		to := copied(t, from)
		for range 1 + random.IntN(3) {
			admissiontest.Knobs[random.IntN(len(admissiontest.Knobs))].Turn(to, random)
		}
		law := checkInheritance(t, p, from, admissiontest.Settled(to))
		seen[law]++
	}
	for _, law := range []string{"accepted before", "none is new", "nothing gets worse", "some are more", "others"} {
		if seen[law] < 10 {
			t.Errorf("%s: only %d cases of %v", law, seen[law], slices.Sorted(maps.Keys(seen)))
		}
	}
}

// checkInheritance returns the law that an update falls under.
func checkInheritance(t *testing.T, p *Judge, from, to map[string]any) string {
	t.Helper()
	a, b := judgeAlone(t, p, from), judgeAlone(t, p, to)
	d := decideUpdate(t, p, from, to)
	if len(b.errors) == 0 || d.Outcome == Exempt {
		return "nothing to deny"
	}
	law, want := "others", d.Outcome
	switch {
	case len(a.errors) == 0 || a.class != rules.ClassViolating && b.class == rules.ClassViolating:
		law, want = "accepted before", Denied
	case within(b.errors, a.errors):
		law, want = "none is new", Warned
	case !touches(from, to, a, b) && worsened(a, b, forecast.Scenarios()) == "":
		law, want = "nothing gets worse", Warned
	case within(a.errors, b.errors):
		law, want = "some are more", Denied
	}
	if d.Outcome != want {
		t.Errorf("%s: %s, want %s\n  from %v %v\n  to   %v %v", law, d.Outcome, want, a.errors, from, b.errors, to)
	}
	if worse := worsened(a, b, everyday(t)); worse != "" && d.Outcome != Denied && law == "others" {
		t.Errorf("%s although it gets worse: %s\n  from %v %v\n  to   %v %v", d.Outcome, worse, a.errors, from, b.errors, to)
	}
	return law
}

// TestRepairsPass applies each fix that is offered for a random release, alone: the
// update is never denied.
func TestRepairsPass(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, prefer := range []rules.Class{rules.ClassRetry, rules.ClassBounded} {
		p := newJudge(t)
		p.Config = &rules.Config{Spec: rules.ConfigSpec{Fix: rules.FixConfig{Prefer: prefer}}}
		var err error
		if p.Engine, err = p.Engine.Under(p.Config); err != nil {
			t.Fatal(err)
		}
		fixes := 0
		for range 150 {
			from := admissiontest.RandomObject(random)
			admissiontest.Write(from, release.Path{"spec", "uninstall"}, nil) // keepHistory would make some of the fixes a new fault
			a := judgeAlone(t, p, from)
			for _, fix := range a.fixes {
				to := copied(t, from)
				for _, edit := range fix.Set {
					admissiontest.Write(to, edit.Path, edit.Value)
				}
				fixes++
				if d := decideUpdate(t, p, from, to); d.Outcome == Denied {
					t.Errorf("prefer %s: denied for %v\n  from %v %v\n  fix  %v", prefer, ids(d.Denied), a.errors, from, fix.Set)
				}
			}
		}
		if fixes < 100 {
			t.Errorf("only %d fixes", fixes)
		}
	}
}

func copied(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
