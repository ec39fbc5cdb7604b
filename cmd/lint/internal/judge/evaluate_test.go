package judge

import (
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

const endlessRule = `# METADATA
# title: Never ends
# description: It counts far.
# custom: {severity: {production: error, staging: error, development: error}}
package remedy.rules.api.endless

report contains {"path": ["spec"], "message": "never"} if {
	some i in numbers.range(1, 10000)
	some j in numbers.range(1, 10000)
	i * j < 0
}
`

// A rule that does not end is named, whether or not all is known of the release, and also where others are
// not looked at any more.
func TestEndlessRule(t *testing.T) {
	engine, err := rules.New(t.Context(), policies.FS, fstest.MapFS{"api/endless/endless.rego": {Data: []byte(endlessRule)}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewEvaluator(engine, Configuration{Config: new(rules.Config)}, time.Unix(0, 0))
	if err != nil || e.most != maxRuleTime {
		t.Fatal(e, err)
	}
	e.most = 100 * time.Millisecond
	object := map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": "app", "namespace": "apps"}, "spec": map[string]any{"interval": "10m"},
	}
	decoded, err := release.Decode(object, release.Controller{})
	if err != nil {
		t.Fatal(err)
	}
	partly := *decoded
	partly.Unknown = []release.Unknown{{Path: release.Path{"spec", "timeout"}}}
	for _, r := range []*release.Release{decoded, &partly} {
		r.Tier = release.Production
		more := slices.Repeat([]*effective.Release{{Release: r}}, 1+runtime.GOMAXPROCS(0))
		_, err = e.Evaluate(t.Context(), &effective.Tree{Releases: more})
		if want := "judge apps/app: rule 1/api/endless/endless.rego takes longer than 100ms for one release"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Where it is not known which rule does not end, none is named.
func TestTakes(t *testing.T) {
	for rule, want := range map[string]string{"": "the rules take", "1/api/x/x.rego": "rule 1/api/x/x.rego takes"} {
		if got := takes(rule); got != want {
			t.Errorf("%q: %q, want %q", rule, got, want)
		}
	}
}

// A verdict on a release of which not all is known counts only where the API server accepts the
// same.
func TestSchemasApart(t *testing.T) {
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewEvaluator(engine, Configuration{Config: new(rules.Config)}, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]release.SchemaField{"": {Type: "object"}, "interval": {Type: "duration"}, "timeout": {Type: "duration"}, "chartRef": {Type: "any"}}
	schema := func(more string) *release.Schema {
		with := maps.Clone(fields)
		with[more] = release.SchemaField{Type: "string"}
		return release.NewSchema("crd.yaml", map[string]map[string]release.SchemaField{"v2": with}, nil)
	}
	object := map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": "app", "namespace": "apps"},
		"spec":     map[string]any{"interval": "10m", "timeout": "${TIMEOUT}", "future": "x"},
	}
	unknown := []release.Unknown{{Path: release.Path{"spec", "timeout"}, Reason: "depends on a variable"}}
	for more, want := range map[string]bool{"future": false, "other": true, "another": true} {
		r, err := release.DecodeUnknown(object, unknown, release.Controller{Version: "1.6.0", Schema: schema(more)})
		if err != nil {
			t.Fatal(err)
		}
		r.Tier = release.Production
		verdict, err := e.evaluate(t.Context(), &effective.Release{Release: r})
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(verdict.Findings, func(f rules.Finding) bool { return f.Rule == "unknown-field" })
		if found != want {
			t.Errorf("a definition with spec.%s: spec.future reported %v, want %v", more, found, want)
		}
	}
}
