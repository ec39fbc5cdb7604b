package policies_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// readings are what a strategy that is not known here may stand for: each way in which a
// release recovers. Strategies of remediations may be any that are known.
var readings = map[string][]map[string]any{
	"strategy": {
		{"strategy": map[string]any{"name": "RetryOnFailure", "retryInterval": "5m"}},
		{"strategy": map[string]any{"name": "RemediateOnFailure"}, "remediation": map[string]any{"retries": 3.0, "remediateLastFailure": true}},
	},
	"remediation": {{"strategy": "rollback"}, {"strategy": "uninstall"}},
}

// TestUnknownStrategy: of a release with a strategy that is not known here exactly that is
// reported which is reported whatever the strategy stands for.
func TestUnknownStrategy(t *testing.T) {
	t.Parallel()
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	reported := 0
	for range 1500 {
		what, half := "strategy", []string{"install", "upgrade"}[random.IntN(2)]
		object := drawn(random)
		section := object["spec"].(map[string]any)[half].(map[string]any)
		place := section
		if remediation, ok := section["remediation"].(map[string]any); ok && half == "upgrade" && section["strategy"] == nil && random.IntN(2) == 0 {
			what, place = "remediation", remediation
			place["strategy"] = "pause"
		} else {
			place["strategy"] = map[string]any{"name": "CanaryOnFailure"}
		}
		got := reportedOn(t, engine, object)
		var want []string
		for i, reading := range readings[what] {
			for key, value := range reading {
				place[key] = runtime.DeepCopyJSONValue(value)
			}
			of := reportedOn(t, engine, object)
			if i == 0 {
				want = of
			}
			want = slices.DeleteFunc(want, func(f string) bool { return !slices.Contains(of, f) })
		}
		if reported += len(got); !slices.Equal(got, want) {
			t.Fatalf("reports %v, want %v of %v, whose %s of %s was another one", got, want, object, what, half)
		}
	}
	if reported < 300 {
		t.Errorf("only %d findings", reported)
	}
}

// drawn returns a release with random settings.
func drawn(random *rand.Rand) map[string]any {
	pick := func(values ...any) any { return values[random.IntN(len(values))] }
	spec := map[string]any{"interval": "10m", "chartRef": map[string]any{"kind": "OCIRepository", "name": "app"}}
	for _, half := range []string{"install", "upgrade"} {
		section := map[string]any{}
		if random.IntN(2) == 0 {
			section["strategy"] = map[string]any{"name": pick("RetryOnFailure", "RemediateOnFailure")}
		}
		if random.IntN(2) == 0 {
			section["remediation"] = map[string]any{"retries": pick(0.0, 1.0, 3.0, 11.0, -1.0), "remediateLastFailure": pick(true, false)}
		}
		for _, key := range []string{"disableWait", "disableHooks"} {
			if random.IntN(4) == 0 {
				section[key] = true
			}
		}
		spec[half] = section
	}
	for key, value := range map[string]any{
		"uninstall": map[string]any{"keepHistory": true}, "rollback": map[string]any{"disableWait": true}, "timeout": "0s", "maxHistory": 0.0,
		"test": map[string]any{"enable": true}, "driftDetection": map[string]any{"mode": "repair"},
	} {
		if random.IntN(5) == 0 {
			spec[key] = value
		}
	}
	return map[string]any{"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": map[string]any{"name": "app"}, "spec": spec}
}

// reportedOn returns rules and fields of the errors and warnings on an admitted release in
// production.
func reportedOn(t *testing.T, engine *rules.Engine, object map[string]any) (out []string) {
	t.Helper()
	hr, err := release.DecodeAdmitted(runtime.DeepCopyJSON(object), release.Controller{})
	if err != nil {
		t.Fatal(err)
	}
	hr.Tier = release.Production
	verdict, err := engine.Evaluate(t.Context(), hr, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range verdict.Findings {
		if f.Severity.AtLeast(rules.Warning) {
			out = append(out, fmt.Sprint(f.Rule, " ", f.Path))
		}
	}
	return out
}
