package policies_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// openFields are fields with values that the API accepts, of all kinds that matter to a
// rule.
var openFields = map[string]struct {
	path   release.Path
	values []any
}{
	"timeout":     {release.Path{"spec", "timeout"}, []any{"0s", "1s", "5m", "90m"}},
	"interval":    {release.Path{"spec", "interval"}, []any{"0s", "1m", "50m"}},
	"history":     {release.Path{"spec", "maxHistory"}, []any{0.0, 1.0, 5.0}},
	"suspend":     {release.Path{"spec", "suspend"}, []any{true, false}},
	"client":      {release.Path{"spec", "persistentClient"}, []any{true, false}},
	"strategy":    {release.Path{"spec", "upgrade", "strategy", "name"}, []any{"RetryOnFailure", "RemediateOnFailure"}},
	"retry":       {release.Path{"spec", "install", "strategy", "retryInterval"}, []any{"0s", "1s", "1h"}},
	"retries":     {release.Path{"spec", "upgrade", "remediation", "retries"}, []any{-1.0, 0.0, 3.0, 50.0}},
	"remediation": {release.Path{"spec", "upgrade", "remediation", "strategy"}, []any{"rollback", "uninstall"}},
	"ignored":     {release.Path{"spec", "test", "ignoreFailures"}, []any{true, false}},
	"test":        {release.Path{"spec", "test", "enable"}, []any{true, false}},
	"keep":        {release.Path{"spec", "uninstall", "keepHistory"}, []any{true, false}},
	"wait":        {release.Path{"spec", "install", "disableWait"}, []any{true, false}},
	"chart":       {release.Path{"spec", "chartRef", "name"}, []any{"app", "postgresql"}},
	"drift":       {release.Path{"spec", "driftDetection", "mode"}, []any{"enabled", "warn", "disabled"}},
}

// With a field unknown, what is said of a release holds for each value of the field.
func TestOpenRules(t *testing.T) {
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	bases := []map[string]any{
		{},
		{"install": map[string]any{"strategy": map[string]any{"name": "RetryOnFailure"}}, "upgrade": map[string]any{"strategy": map[string]any{"name": "RetryOnFailure"}}},
		{"timeout": "5m", "test": map[string]any{"enable": true}, "install": map[string]any{"remediation": map[string]any{"retries": 3.0}}, "upgrade": map[string]any{"remediation": map[string]any{"retries": 2.0}}},
	}
	for name, field := range openFields {
		for _, base := range bases {
			unknown := judgeField(t, engine, base, field.path, "${X}", []release.Unknown{{Path: field.path, Reason: "unknown"}})
			var open []string
			for _, o := range unknown.Open {
				open = append(open, o.Rule)
			}
			for _, value := range field.values {
				known := judgeField(t, engine, base, field.path, value, nil)
				if unknown.Class != rules.ClassUnknown && unknown.Class != known.Class {
					t.Errorf("%s of %v: class %s, and %s with %v", name, base, unknown.Class, known.Class, value)
				}
				if silences(engine, known, open) {
					continue
				}
				if got, want := messages(unknown, open), messages(known, open); !slices.Equal(got, want) {
					t.Errorf("%s of %v, open %v:\n%q, and with %v\n%q", name, base, open, got, value, want)
				}
			}
		}
	}
}

func judgeField(t *testing.T, engine *rules.Engine, base map[string]any, at release.Path, value any, unknown []release.Unknown) rules.Verdict {
	t.Helper()
	spec := map[string]any{"interval": "1h", "chartRef": map[string]any{"kind": "OCIRepository", "name": "app"}}
	maps.Copy(spec, base)
	object := with(map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": "app", "namespace": "apps"}, "spec": spec,
	}, at, value)
	r, err := release.DecodeUnknown(object, unknown, release.Controller{})
	if err != nil {
		t.Fatal(err)
	}
	r.Tier = release.Production
	verdict, err := engine.Evaluate(t.Context(), r, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

// silences reports whether one of some rules reports that others have nothing to say.
func silences(engine *rules.Engine, v rules.Verdict, some []string) bool {
	return slices.ContainsFunc(v.Findings, func(f rules.Finding) bool {
		rule, _ := engine.Rule(f.Rule)
		return slices.Contains(some, f.Rule) && (rule.Refuses || rule.Alone)
	})
}

// with returns an object with a value at a path.
func with(object map[string]any, at release.Path, value any) map[string]any {
	out := maps.Clone(object)
	if out == nil {
		out = map[string]any{}
	}
	key := at[0].(string)
	if len(at) == 1 {
		out[key] = value
		return out
	}
	below, _ := object[key].(map[string]any)
	out[key] = with(below, at[1:], value)
	return out
}

// messages lists the findings of a verdict, without those of some rules.
func messages(v rules.Verdict, without []string) []string {
	var out []string
	for _, f := range v.Findings {
		if !slices.Contains(without, f.Rule) {
			out = append(out, f.Rule+" "+f.Path.String()+" "+f.Message)
		}
	}
	return out
}
