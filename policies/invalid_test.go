package policies_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// TestWrongTypes sets every field of the API to values of every JSON type. A value of
// a wrong type is a finding at its path, and then only rules of the category api
// report. A release without settings always has a finding.
func TestWrongTypes(t *testing.T) {
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{
		"boolean": true, "integer": float64(7), "string": "\u00e9 ", "array": []any{[]any{}, "x"}, "object": map[string]any{"a.b": []any{nil}}, "null": nil,
	}
	table := apiFields(t)
	for _, name := range slices.Sorted(maps.Keys(table)) {
		kind := table[name].Type
		if name == "" || kind == "any" {
			continue
		}
		for valueKind, value := range values {
			if valueKind == "null" && !strings.HasSuffix(name, "*") {
				continue // the API server drops it
			}
			object, path := releaseWith(name, value)
			release, verdict := evaluate(t, engine, object)
			found := slices.ContainsFunc(verdict.Findings, func(f rules.Finding) bool {
				return f.Rule == "invalid-value" && f.Path.String() == path
			})
			wrong := valueKind != kind && (kind != "strings" || valueKind != "object")
			if wrong && !found {
				t.Errorf("%s as %s: no finding there, but %v", path, valueKind, verdict.Findings)
			}
			if release.Settings == nil && len(verdict.Findings) == 0 {
				t.Errorf("%s as %s: no settings and no finding", path, valueKind)
			}
			for _, f := range verdict.Findings {
				if wrong && f.Category != "api" {
					t.Errorf("%s as %s: %s reports on an object that is refused", path, valueKind, f.Rule)
				}
			}
		}
	}
}

// releaseWith returns a release with a value at a field of the table, and the path of
// that field as findings write it. The value of a list's item becomes its first one.
func releaseWith(name string, value any) (object map[string]any, path string) {
	steps := strings.Split(name, ".")
	for _, step := range slices.Backward(steps) {
		if step == "*" {
			value = []any{value}
		} else {
			value = map[string]any{step: value}
		}
	}
	spec := map[string]any{"interval": "1h", "timeout": "10m"}
	if steps[0] != "chart" {
		spec["chartRef"] = map[string]any{"kind": "OCIRepository", "name": "app"}
	}
	maps.Copy(spec, value.(map[string]any))
	return map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2",
		"kind":       "HelmRelease",
		"metadata":   map[string]any{"name": "app", "namespace": "apps"},
		"spec":       spec,
	}, "spec." + strings.ReplaceAll(name, ".*", "[0]")
}

func evaluate(t *testing.T, engine *rules.Engine, object map[string]any) (*release.Release, rules.Verdict) {
	t.Helper()
	hr, err := release.Decode(object, release.Controller{Version: "1.7.1"})
	if err != nil {
		t.Fatal(err)
	}
	hr.Tier = release.Production
	verdict, err := engine.Evaluate(t.Context(), hr, time.Unix(0, 0))
	if err != nil {
		t.Fatal(fmt.Errorf("%v: %w", object["spec"], err))
	}
	return hr, verdict
}

// apiFields reads the table of the API's fields from lib/fields.rego.
func apiFields(t *testing.T) map[string]field {
	t.Helper()
	results, err := rego.New(
		rego.Query("object.union(data.remedy.lib.fields.limited, data.remedy.lib.fields.plain)"), rego.Load([]string{"lib/fields.rego"}, nil),
	).Eval(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(results[0].Expressions[0].Value)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]field{}
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

// field is an entry of that table.
type field struct {
	Type string `json:"type"`
}
