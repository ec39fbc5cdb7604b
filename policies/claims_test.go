package policies_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// claims are what the messages of rules say about an end, and when it is so.
var claims = []struct {
	says *regexp.Regexp
	true func(match []string, out forecast.Outcome) bool
}{
	{regexp.MustCompile(`Stalled with ([A-Z]\w+)`), func(m []string, out forecast.Outcome) bool {
		return out.End == forecast.Stalled && out.Reason == m[1]
	}},
	{regexp.MustCompile(`are over after (\w+): .* leaves the release Stalled`), func(m []string, out forecast.Outcome) bool {
		said, err := time.ParseDuration(m[1])
		return err == nil && out.End == forecast.Stalled && out.After.Round(time.Second) == said
	}},
	{regexp.MustCompile(`upgraded every (\w+), forever`), func(m []string, out forecast.Outcome) bool {
		return out.Reason == "interval" && forecast.Readable(out.Every.Duration) == m[1]
	}},
	{regexp.MustCompile(`upgraded forever, up to (\w+) apart`), func(m []string, out forecast.Outcome) bool {
		return out.Reason == "backoff" && forecast.Readable(out.Every.Duration) == m[1]
	}},
	{regexp.MustCompile(`tried again forever`), func(_ []string, out forecast.Outcome) bool { return out.End != forecast.Stalled }},
	{regexp.MustCompile(`is Ready as soon as`), func(_ []string, out forecast.Outcome) bool { return out.End == forecast.Ready }},
	{regexp.MustCompile(`is Stalled after (\w+), and`), func(m []string, out forecast.Outcome) bool {
		return out.End == forecast.Stalled && forecast.Readable(out.After.Duration) == m[1]
	}},
	{regexp.MustCompile(`stays Ready=False with TestFailed`), func(_ []string, out forecast.Outcome) bool { return out.Reason == "TestFailed" }},
	{regexp.MustCompile(`until it is Ready and Stalled at once`), func(_ []string, out forecast.Outcome) bool { return out.End == forecast.Stalled }},
	{regexp.MustCompile(`stays on the cluster`), func(_ []string, out forecast.Outcome) bool { return strings.HasPrefix(string(out.Running), "failed") }},
	{regexp.MustCompile(`does nothing with this release`), func(_ []string, out forecast.Outcome) bool { return out.Reason == "Suspended" }},
}

// TestClaims: what the message of a finding says about the end is what its forecast
// shows, and so no two findings of a release disagree.
func TestClaims(t *testing.T) {
	t.Parallel()
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	checked := map[string]int{}
	for range 400 {
		release := blindAtRandom(t, random)
		verdict, err := engine.Evaluate(t.Context(), release, time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range verdict.Findings {
			scenario, err := forecast.Find(f.Scenario)
			if err != nil {
				continue
			}
			out := forecast.Run(*release.Settings, release.Controller, scenario, forecast.Options{}).Outcome
			for _, claim := range claims {
				m := claim.says.FindStringSubmatch(f.Message)
				if m == nil {
					continue
				}
				checked[claim.says.String()]++
				if !claim.true(m, out) {
					t.Errorf("%s: %s\nbut %s: %s\n%v", f.Rule, f.Message, f.Scenario, out, release.Object["spec"])
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	for _, claim := range claims {
		if checked[claim.says.String()] == 0 {
			t.Errorf("no finding says %s", claim.says)
		}
	}
}

// blindAtRandom returns a random release of which some do not wait for health, ignore
// failed tests, have long timeouts or are suspended.
func blindAtRandom(t *testing.T, random *rand.Rand) *release.Release {
	t.Helper()
	one := func(n int) bool { return random.IntN(n) == 0 }
	object := randomRelease(t, random)
	spec := object.Object["spec"].(map[string]any)
	if one(20) {
		spec["suspend"] = true
	}
	if one(2) {
		spec["timeout"] = []string{"10m", "30m", "90s"}[random.IntN(3)]
	}
	for _, name := range []string{"install", "upgrade"} {
		half := spec[name].(map[string]any)
		if name == "upgrade" && one(5) {
			half["preserveValues"] = true
		}
		if one(4) {
			half["disableWait"] = true
		}
		remediation, ok := half["remediation"].(map[string]any)
		if ok && one(4) {
			remediation["ignoreTestFailures"] = one(2)
		}
	}
	hr, err := release.Decode(object.Object, release.Controller{Gates: object.Controller.Gates})
	if err != nil {
		t.Fatal(err)
	}
	hr.Tier = release.Production
	return hr
}
