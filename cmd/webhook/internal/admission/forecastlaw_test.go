package admission

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission/admissiontest"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// state is a release, judged as if it were created, with how each scenario ends.
type state struct {
	*replaced
	object map[string]any
	errors []rules.Finding
	ends   []forecast.Ending
}

func (s *state) accepted() bool { return s.Class != rules.ClassViolating }

// stateOf judges a release.
func stateOf(t *testing.T, p *Judge, settings map[string]any) *state {
	t.Helper()
	object := admissiontest.Whole("app", settings).Object
	r, err := hearingOf(p).decode(object)
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := p.Engine.Evaluate(t.Context(), r, day)
	if err != nil {
		t.Fatal(err)
	}
	s := &state{replaced: &replaced{Verdict: verdict, release: r}, object: object}
	for _, f := range verdict.Findings {
		if f.Severity == rules.Error {
			s.errors = append(s.errors, f)
		}
	}
	for _, scenario := range forecast.Scenarios() {
		if scenario.Failing() {
			s.ends = append(s.ends, forecast.EndingOf(*r.Settings, r.Controller, scenario))
		}
	}
	return s
}

// lawStates are releases with every combination of the settings of the law, a number of
// retries standing for those that end alike.
func lawStates(t *testing.T, p *Judge) (all []*state) {
	t.Helper()
	half := func(name string, strategy, interval, retries, last, remediation any) map[string]any {
		out := map[string]any{}
		for path, value := range map[string]any{"name": strategy, "retryInterval": interval} {
			admissiontest.Write(out, release.Path{"strategy", path}, value)
		}
		for path, value := range map[string]any{"retries": retries, "remediateLastFailure": last, "strategy": remediation} {
			admissiontest.Write(out, release.Path{"remediation", path}, value)
		}
		return map[string]any{"spec": map[string]any{name: out}}
	}
	var installs, upgrades []map[string]any
	for _, retries := range []any{nil, 1.0, 3.0, 10.0, 11.0, 50.0, -1.0} {
		for _, last := range []any{true, false} {
			installs = append(installs, half("install", "RemediateOnFailure", nil, retries, last, nil))
			for _, remediation := range []any{"rollback", "uninstall"} {
				upgrades = append(upgrades, half("upgrade", "RemediateOnFailure", nil, retries, last, remediation))
			}
		}
	}
	for _, interval := range []any{nil, "0s"} {
		for _, retries := range []any{nil, 3.0, -1.0} {
			installs = append(installs, half("install", "RetryOnFailure", interval, retries, nil, nil))
		}
		upgrades = append(upgrades, half("upgrade", "RetryOnFailure", interval, nil, nil, nil))
	}
	for _, install := range installs {
		for _, upgrade := range upgrades {
			settings := copied(t, install)
			admissiontest.Merge(settings, upgrade)
			all = append(all, stateOf(t, p, settings))
		}
	}
	return all
}

// decideBetween returns the errors that an update is denied for.
func decideBetween(p *Judge, before, after *state) (denied []rules.Finding) {
	u := &update{
		Review: &Review{Object: after.object, Old: before.object}, before: before.replaced, rule: p.Engine.Rule,
		worse: func() bool {
			return slices.ContainsFunc(indexes(before.ends), func(i int) bool { return after.ends[i].Worse(before.ends[i]) })
		},
		alone: func() (rules.Verdict, error) { return after.Verdict, nil },
	}
	return slices.DeleteFunc(slices.Clone(after.errors), func(f rules.Finding) bool {
		old, _ := u.had(f)
		return old
	})
}

func indexes[E any](list []E) (all []int) {
	for i := range list {
		all = append(all, i)
	}
	return all
}

// pairs is how many updates the laws try; 0 is every pair of the settings of the law.
var pairs = flag.Int("pairs", 10_000, "how many updates TestForecastLaw tries; 0: all pairs of the settings of the law")

// TestForecastLaw updates releases with any settings of the law, and with others beside
// them, to any others. The judge is the forecast of all scenarios, which knows no rule:
//
//   - an update is not denied if no scenario ends worse and no setting is further from its
//     limit;
//   - it is denied if it makes a fault and adds a way to get stuck or to lose data where no
//     accepted release has one;
//   - what was accepted stays accepted.
func TestForecastLaw(t *testing.T) {
	p := newJudge(t)
	all := lawStates(t, p)
	law := lawOf(all)
	random := rand.New(rand.NewPCG(11, 12))
	for i := range cmp.Or(*pairs, len(all)*len(all)) {
		from, to := all[random.IntN(len(all))], all[random.IntN(len(all))]
		if *pairs == 0 {
			from, to = all[i/len(all)], all[i%len(all)]
		}
		law.check(t, p, from, to)
	}
	for range min(*pairs, 10_000) / 50 {
		settings := map[string]any{}
		for _, k := range admissiontest.MoreKnobs {
			k.Turn(settings, random)
		}
		from := stateOf(t, p, admissiontest.Settled(settings))
		for range 1 + random.IntN(3) {
			admissiontest.MoreKnobs[random.IntN(len(admissiontest.MoreKnobs))].Turn(settings, random)
		}
		law.check(t, p, from, stateOf(t, p, admissiontest.Settled(settings)))
	}
	t.Logf("%v", law.seen)
	for _, what := range []string{"no worse", "adds one", "was accepted"} {
		if law.seen[what] < 50 {
			t.Errorf("%s: only %d updates", what, law.seen[what])
		}
	}
}

// forecastLaw says by scenario what every accepted release comes through.
type forecastLaw struct {
	survives, keeps []bool
	seen            map[string]int
}

func lawOf(all []*state) *forecastLaw {
	law := &forecastLaw{seen: map[string]int{}}
	for i := range all[0].ends {
		law.survives = append(law.survives, !slices.ContainsFunc(all, func(s *state) bool { return s.accepted() && s.ends[i].Stuck }))
		law.keeps = append(law.keeps, !slices.ContainsFunc(all, func(s *state) bool { return s.accepted() && s.ends[i].Lost }))
	}
	return law
}

func (l *forecastLaw) check(t *testing.T, p *Judge, from, to *state) {
	t.Helper()
	if len(to.errors) == 0 {
		return
	}
	denied := decideBetween(p, from, to)
	worse := slices.ContainsFunc(indexes(from.ends), func(i int) bool { return to.ends[i].Worse(from.ends[i]) })
	adds := slices.ContainsFunc(indexes(from.ends), func(i int) bool {
		stuck := l.survives[i] && to.ends[i].Stuck && !from.ends[i].Stuck && !from.ends[i].Lost
		return stuck || l.keeps[i] && to.ends[i].Lost && !from.ends[i].Lost
	})
	var law string
	var want bool
	switch {
	case from.accepted() && to.Class == rules.ClassViolating:
		law, want = "was accepted", true
	case !from.accepted() && !worse && !slices.ContainsFunc(to.errors, func(f rules.Finding) bool { return further(from, to, f) }):
		law, want = "no worse", false
	case adds && !amongst(to.errors, from.errors):
		law, want = "adds one", true
	default:
		return
	}
	if l.seen[law]++; want != (len(denied) > 0) {
		t.Errorf("%s, and denied for %v\n  from %v %v\n  to   %v %v", law, ids(denied), ids(from.errors), from.object["spec"], ids(to.errors), to.object["spec"])
	}
}

// further reports whether an update moves a setting further from its limit: makes a graded
// fault worse, or writes a number, a duration or a flag that is a fault.
func further(from, to *state, f rules.Finding) bool {
	if before := same(from.Findings, f); len(before) > 0 {
		return f.Degree > before[0].Degree
	}
	a, b := f.Path.In(from.object), f.Path.In(to.object)
	return !reflect.DeepEqual(a, b) && !(word(a) && word(b))
}

// amongst reports whether all errors are among the others, by rule and field.
func amongst(errors, others []rules.Finding) bool {
	return !slices.ContainsFunc(errors, func(f rules.Finding) bool { return len(same(others, f)) == 0 })
}
