package rules

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// asking are conditions of rules that look at an object or a list of the input as a whole,
// from all sides; all are met.
var asking = []string{
	`{"a": "app"} == input.object.metadata.labels`,
	`input.object.metadata.labels == {"a": "app"}`,
	`{"a": "other"} != input.object.metadata.labels`,
	`{ x := {"a": "app"}; x == input.object.metadata.labels }`,
	`{ {"a": n} = input.object.metadata.labels; n == "app" }`,
	`input.object.metadata.labels in {{"a": "app"}}`,
	`input.object.metadata.labels in [{"a": "app"}]`,
	`{"a": "app"} in {x | some x in input.object.metadata}`,
	`{"a": "app"} in input.object.metadata`,
	`{ {{"a": "app"}}[input.object.metadata.labels] }`,
	`{ m := {input.object.metadata.labels: 1}; m[{"a": "app"}] == 1 }`,
	`[{"a": "app"}] == [input.object.metadata.labels]`,
	`{"b": {"a": "app"}} == {"b": input.object.metadata.labels}`,
	`count({input.object.metadata.labels, {"a": "app"}}) == 1`,
	`count({input.object.metadata.labels, input.object.metadata.annotations}) == 1`,
	`count({x | some x in [input.object.metadata.labels, input.object.metadata.annotations]}) == 1`,
	`json.unmarshal("{\"a\":\"app\"}") in input.object.metadata`,
	`{k: v | some k, v in input.object.metadata.annotations} in input.object.metadata`,
	`other in input.object.metadata
other := {"a": "app"}`,
	`same(input.object.metadata.labels)
same({"a": "app"})`,
	`made("app") in input.object.metadata
made(x) := object.union({}, {"a": x})`,
	`{ some p, v; walk(input.object.metadata, [p, v]); v == "app"; p[0] == "labels" }`,
	`"a" in object.keys(input.object.metadata.labels)`,
	`input.object.metadata == object.union(input.object.metadata, {"labels": input.object.metadata.annotations})`,
}

// Rules of one's own say what they say of the plain input, and each is open if a value is
// not known in what it looks at, in whatever way it does.
func TestOwnRulesSeeWholes(t *testing.T) {
	all := fstest.MapFS{}
	for i, condition := range asking {
		all[fmt.Sprintf("x%d.rego", i)] = ruleIf(i, condition)
	}
	engine, err := New(t.Context(), os.DirFS("../../policies"), all)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"other", "app", "other", "app"} { // also by what is remembered
		v, err := engine.Evaluate(t.Context(), labelled(t, name), time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		for file := range all {
			if rule := strings.TrimSuffix(file, ".rego"); name == "app" && !slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Rule == rule }) {
				t.Errorf("%s is not met", all[file].Data)
			}
		}
	}
	at := release.Path{"metadata", "labels", "a"}
	v, err := engine.Evaluate(t.Context(), labelled(t, "${X}", release.Unknown{Path: at, Reason: "unknown"}), time.Unix(0, 0))
	for file := range all {
		if rule := strings.TrimSuffix(file, ".rego"); err != nil || !slices.ContainsFunc(v.Open, func(o Open) bool { return o.Rule == rule }) {
			t.Errorf("%s is not open: %v", all[file].Data, err)
		}
	}
}

func ruleIf(i int, condition string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("# METADATA\n# title: T\n# description: D\n# custom:\n#   severity: {production: error, staging: warning, development: info}\n" +
		fmt.Sprintf("package remedy.rules.recovery[\"x%d\"]\nreport contains {\"path\": [\"spec\"], \"message\": \"met\"} if %s", i, condition))}
}

func labelled(t *testing.T, label string, unknown ...release.Unknown) *release.Release {
	t.Helper()
	r, err := release.DecodeUnknown(map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": "a", "namespace": "apps", "labels": map[string]any{"a": label}, "annotations": map[string]any{"a": "app"}},
		"spec":     map[string]any{"interval": "1h", "chartRef": map[string]any{"kind": "OCIRepository", "name": "x"}},
	}, unknown, release.Controller{})
	if err != nil {
		t.Fatal(err)
	}
	r.Tier = release.Production
	return r
}

// Rules that list the fields are open if one may hold others.
func TestOpenByKeys(t *testing.T) {
	engine, err := New(t.Context(), os.DirFS("../../policies"))
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]bool{"install": true, "timeout": false, "dependsOn": true, "instal": true} {
		r, err := release.DecodeUnknown(map[string]any{
			"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": map[string]any{"name": "a", "namespace": "apps"},
			"spec": map[string]any{"interval": "1h", "chartRef": map[string]any{"kind": "OCIRepository", "name": "x"}, field: "${X}"},
		}, []release.Unknown{{Path: release.Path{"spec", field}, Reason: "unknown"}}, release.Controller{})
		if err != nil {
			t.Fatal(err)
		}
		r.Tier = release.Production
		v, err := engine.Evaluate(t.Context(), r, time.Unix(0, 0))
		if got := slices.ContainsFunc(v.Open, func(o Open) bool { return o.Rule == "unknown-field" }); err != nil || got != want {
			t.Errorf("%s: unknown-field open %v, %v", field, got, err)
		}
	}
}
