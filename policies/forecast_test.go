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

// TestForecast holds all rules to the forecast, on random settings: a release
// without an error keeps the promise of its class, and one with an error of
// recovery breaks the promises of both.
//
// Two errors do not say that a promise is broken: too-many-retries keeps it,
// too late; gate-dependent stands where another promise is kept than was written.
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
				t.Errorf("no error and class %s, but what is kept is %q: %v", verdict.Class, kept, spec)
			}
		case slices.Contains(errors, "recovery"):
			seen["error of recovery"]++
			if kept != "" {
				t.Errorf("an error of recovery, but the promise of %s is kept: %v", kept, spec)
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

// errorsOf gives the categories of the errors that say that a promise is broken.
func errorsOf(verdict rules.Verdict) []string {
	var categories []string
	for _, f := range verdict.Findings {
		if f.Severity == rules.Error && f.Rule != "too-many-retries" && f.Rule != "gate-dependent" {
			categories = append(categories, f.Category)
		}
	}
	return categories
}

// keptBy gives the class whose promise the forecast keeps; empty for none.
func keptBy(release *release.Release) rules.Class {
	ends := map[string]forecast.Outcome{}
	human := 0
	for _, scenario := range forecast.Scenarios() {
		out := forecast.Run(*release.Settings, release.Controller, scenario, forecast.Options{}).Outcome
		ends[scenario.Name] = out
		if out.NeedsHuman && scenario.Name != "record-deleted" { // by hand, which no setting foresees
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

// randomRelease draws settings that the API server accepts, waited for.
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
