package policies_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// TestForecast compares the rules with the forecast on random settings. A release
// without errors keeps the promise of its class; one with an error of the category
// recovery keeps the promise of neither class.
//
// Two errors are left out: too-many-retries, where the promise is kept too late, and
// gate-dependent, where the promise of the other class than the written one is kept.
func TestForecast(t *testing.T) {
	t.Parallel()
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for range 600 {
		release := randomRelease(t, random)
		verdict, err := engine.Evaluate(t.Context(), release, time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		kept := keptBy(release)
		spec := release.Object["spec"]
		switch errors := errorsOf(verdict); {
		case len(errors) == 0 && verdict.Class == rules.ClassViolating: // too many retries
		case len(errors) == 0:
			seen["accepted "+string(verdict.Class)]++
			if kept != verdict.Class {
				t.Errorf("no error and class %s, but the forecast keeps the promise of %q: %v", verdict.Class, kept, spec)
			}
		case slices.Contains(errors, "recovery"):
			seen["error of recovery"]++
			if kept != "" {
				t.Errorf("an error of recovery, but the forecast keeps the promise of %s: %v", kept, spec)
			}
		}
	}
	for _, want := range []string{"accepted retry", "accepted bounded", "error of recovery"} {
		if seen[want] < 20 {
			t.Errorf("only %d cases of %q: %v", seen[want], want, seen)
		}
	}
	t.Log(seen)
}

// errorsOf returns the categories of the errors that mean a broken promise.
func errorsOf(verdict rules.Verdict) []string {
	var categories []string
	for _, f := range verdict.Findings {
		if f.Severity == rules.Error && f.Rule != "too-many-retries" && f.Rule != "gate-dependent" {
			categories = append(categories, f.Category)
		}
	}
	return categories
}

// keptBy returns the class whose promise the forecasts of a release keep; empty if
// neither. Retry promises that no failure needs a human. Bounded promises that a
// failure which passes ends well, and one that stays ends with retries exhausted and
// the old version running.
func keptBy(release *release.Release) rules.Class {
	ends := map[string]forecast.Outcome{}
	human := 0
	for _, scenario := range forecast.Scenarios() {
		out := forecast.Run(*release.Settings, release.Controller, scenario, forecast.Options{}).Outcome
		ends[scenario.Name] = out
		if out.NeedsHuman && scenario.Name != "record-deleted" { // no setting recovers a record deleted by hand
			human++
		}
	}
	exhausted := func(name string) bool { return ends[name].Reason == "RetriesExceeded" }
	passing := []string{"install-fails-once", "upgrade-fails-once", "killed-in-install", "killed-in-upgrade", "fix-arrives", "install-fix-arrives"}
	switch {
	case human == 0:
		return rules.ClassRetry
	case slices.ContainsFunc(passing, func(name string) bool { return ends[name].End != forecast.Ready }):
		return ""
	case exhausted("install-fails") && exhausted("upgrade-fails") && ends["upgrade-fails"].Running == forecast.OldVersion:
		return rules.ClassBounded
	}
	return ""
}

// randomRelease returns a release with random settings that the API server accepts.
// Readiness is awaited in all of them.
func randomRelease(t *testing.T, random *rand.Rand) *release.Release {
	t.Helper()
	pick := func(values ...any) any { return values[random.IntN(len(values))] }
	retry := func() any { return pick(nil, "RemediateOnFailure", "RetryOnFailure", "RetryOnFailure") }
	w := written{
		installStrategy: retry(), upgradeStrategy: retry(), remediation: pick(nil, nil, "rollback", "uninstall"),
		installRetries: pick(nil, 0, 1, 3, 3, 10, 11, -1), upgradeRetries: pick(nil, 0, 1, 3, 3, 10, 11, -1),
		installLast: pick(nil, true, false), upgradeLast: pick(nil, true, false), gate: pick(true, false).(bool),
	}
	if random.IntN(3) == 0 { // else few are bounded
		w.installStrategy, w.upgradeStrategy = "RemediateOnFailure", "RemediateOnFailure"
		w.installRetries, w.upgradeRetries, w.remediation = pick(1, 3, 10), pick(1, 3, 10), pick(nil, "rollback")
	}
	object := w.object()
	spec := object["spec"].(map[string]any)
	maps.Copy(spec, map[string]any{
		"maxHistory": pick(0, 1, 5),
		"uninstall":  map[string]any{"keepHistory": pick(false, false, true)},
		"test":       map[string]any{"enable": pick(true, false), "ignoreFailures": pick(true, false)},
	})
	for _, half := range []string{"install", "upgrade"} {
		strategy, _ := spec[half].(map[string]any)["strategy"].(map[string]any)
		if strategy["name"] == "RetryOnFailure" && random.IntN(6) == 0 {
			strategy["retryInterval"] = pick("0s", "2m")
		}
	}
	hr, err := release.Decode(object, release.Controller{Gates: release.Gates{"DefaultToRetryOnFailure": w.gate}})
	if err != nil {
		t.Fatal(err)
	}
	hr.Tier = release.Production
	return hr
}
