package rules_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// The input that Rego sees decodes into Input without unknown fields, and holds the
// settings, fields and parameters of the release.
func TestInput(t *testing.T) {
	object := map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": "app", "namespace": "apps"},
		"spec": map[string]any{
			"interval":   "90s",
			"maxHistory": float64(1000000),
			"suspend":    nil,
			"valuesFrom": []any{map[string]any{"kind": "Secret"}, nil},
			"upgrade":    map[string]any{"remediation": map[string]any{"retries": json.Number("2")}, "a.b": true},
			"values":     map[string]any{"large": true},
			"":           map[string]any{"timeout": float64(5)},
			"test":       map[string]any{"*": false},
		},
	}
	hr, err := release.Decode(object, release.Controller{})
	if err != nil {
		t.Fatal(err)
	}
	hr.Tier, hr.Old = release.Staging, object
	hr.Overridden = []release.Override{{Path: release.Path{"spec", "interval"}, Written: "5m"}}
	got := inputOf(t, hr)

	if !reflect.DeepEqual(got.Effective, hr.Settings) || !reflect.DeepEqual(got.Before, hr.Settings) {
		t.Errorf("effective %+v, before %+v, want %+v", got.Effective, got.Before, hr.Settings)
	}
	if got.Prefer != "" || got.Controller.Version == "" || len(got.Overrides) != 1 || got.Overrides[0].Written != "5m" {
		t.Errorf("input %+v", got)
	}
	params := map[string]map[string]any{"no-recovery": {"max": json.Number("1"), "wait": json.Number("90"), "names": []any{"a"}}}
	if !reflect.DeepEqual(got.Params, params) {
		t.Errorf("params %v, want %v", got.Params, params)
	}
	if _, ok := got.Old["spec"].(map[string]any)["values"]; ok || !reflect.DeepEqual(got.Object, got.Old) {
		t.Errorf("object %v, old %v", got.Object, got.Old)
	}
	for name, want := range map[string]string{
		"":                            `{"path":["spec"],"value":`,
		"interval":                    `{"path":["spec","interval"],"value":"90s"}`,
		"maxHistory":                  `{"path":["spec","maxHistory"],"value":1000000}`,
		"upgrade.remediation.retries": `{"path":["spec","upgrade","remediation","retries"],"value":2}`,
		"upgrade.?":                   `{"path":["spec","upgrade","a.b"],"value":true}`,
		"?":                           `{"path":["spec",""],"value":{"timeout":5}}`,
		"?.timeout":                   `{"path":["spec","","timeout"],"value":5}`,
		"test.?":                      `{"path":["spec","test","*"],"value":false}`,
		"valuesFrom.*":                `{"path":["spec","valuesFrom",0],"value":{"kind":"Secret"}},{"path":["spec","valuesFrom",1],"value":null}`,
		"valuesFrom.*.kind":           `{"path":["spec","valuesFrom",0,"kind"],"value":"Secret"}`,
	} {
		raw, err := json.Marshal(got.Fields[name])
		if err != nil || !strings.HasPrefix(string(raw), "["+want) {
			t.Errorf("field %q is %s, want %s", name, raw, want)
		}
		delete(got.Fields, name)
	}
	delete(got.Fields, "test")
	delete(got.Fields, "upgrade")
	delete(got.Fields, "upgrade.remediation")
	delete(got.Fields, "valuesFrom")
	if len(got.Fields) > 0 {
		t.Errorf("unexpected fields: %v", got.Fields)
	}
}

func inputOf(t *testing.T, release *release.Release) rules.Input {
	t.Helper()
	value, err := newEngine(t).Input(release)
	if err != nil {
		t.Fatal(err)
	}
	shape, err := ast.JSON(value)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(shape)
	if err != nil {
		t.Fatal(err)
	}
	var input rules.Input
	strict := json.NewDecoder(bytes.NewReader(raw))
	strict.DisallowUnknownFields()
	strict.UseNumber()
	if err := strict.Decode(&input); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return input
}
