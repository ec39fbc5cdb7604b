package rules_test

import (
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

const head = "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\n"

func TestParseConfigRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"empty":                {"", "apiVersion"},
		"other kind":           {"apiVersion: v1\nkind: ConfigMap\n", "want flux-remedy.io/v1alpha1 and RemediationPolicy"},
		"not YAML":             {"{", "line 1: did not find expected node content"},
		"unknown field":        {head + "spec: {teirs: []}", `unknown field "spec.teirs": want admission, audit, baseline, clusters, controller, defaultTier, extends, fix, ignore, law, policies, rulePages, rules, rulesAsOf, sources, tierMarkers, tiers, undetermined, waivers; did you mean tiers?`},
		"unknown in a list":    {head + "spec:\n  tiers:\n  - tier: staging\n    cluster: [a]", `line 6: unknown field "spec.tiers[0].cluster": want clusters, namespaces, paths, tier; did you mean clusters?`},
		"unknown in a rule":    {head + "spec: {rules: {x: {severtiy: info}}}", `unknown field "spec.rules.x.severtiy": want params, severity, tiers`},
		"unknown in a tier":    {head + "spec: {rules: {x: {tiers: {staging: {sev: info}}}}}", `unknown field "spec.rules.x.tiers.staging.sev": want params, severity`},
		"unknown at the top":   {head + "specs: {}", `unknown field "specs": want apiVersion, kind, metadata, spec; did you mean spec?`},
		"unknown tier":         {head + "spec: {defaultTier: prod}", `spec.defaultTier: unknown tier "prod"`},
		"duplicate key":        {head + "spec: {}\nspec: {}", `line 4: key "spec" is already defined in this mapping`},
		"tier of nothing":      {head + "spec: {tiers: [{tier: staging}]}", "spec.tiers[0]: matches nothing"},
		"broken glob":          {head + "spec: {tiers: [{tier: staging, paths: ['[']}]}", `"[" is no valid glob`},
		"broken ignore":        {head + "spec: {ignore: ['{a']}", `spec.ignore: "{a" is no valid glob`},
		"version":              {head + "spec: {controller: {version: latest}}", `version "latest" is not a semantic version`},
		"gate":                 {head + "spec: {controller: {gates: {Foo: true}}}", `"Foo" is no feature gate`},
		"override":             {head + "spec: {controller: {overrides: [{version: 1.4.0}]}}", "spec.controller.overrides[0]: matches nothing"},
		"severity":             {head + "spec: {rules: {x: {severity: fatal}}}", `spec.rules.x: unknown severity "fatal"`},
		"severity of tier":     {head + "spec: {rules: {x: {tiers: {staging: {severity: fatal}}}}}", `unknown severity "fatal"`},
		"tier of rule":         {head + "spec: {rules: {x: {tiers: {stage: {severity: info}}}}}", `unknown tier "stage"`},
		"law":                  {head + "spec: {law: {maxRetries: -1}}", "spec.law: maxRetries is -1: want 0 or more"},
		"law of a tier":        {head + "spec: {law: {tiers: {prod: {maxRetries: 1}}}}", `unknown tier "prod"`},
		"waiver until":         {head + "spec: {waivers: {entries: [{rule: x, reason: why}]}}", "spec.waivers.entries[0]: until is missing"},
		"waiver reason":        {head + "spec: {waivers: {entries: [{rule: x, until: 2030-01-01}]}}", "reason is missing"},
		"waiver rule":          {head + "spec: {waivers: {entries: [{until: 2030-01-01, reason: why}]}}", "rule is missing"},
		"waiver day":           {head + "spec: {waivers: {entries: [{rule: x, until: soon, reason: why}]}}", `spec.waivers.entries[0].until: "soon" is no day: want YYYY-MM-DD`},
		"waiver days":          {head + "spec: {waivers: {maxDays: -1}}", "maxDays is -1"},
		"waiver pattern":       {head + "spec: {waivers: {reasonPattern: '['}}", "reasonPattern: "},
		"exempt everything":    {head + "spec: {admission: {exempt: [{reason: x}]}}", "spec.admission.exempt[0]: matches everything"},
		"exempt all of Flux":   {head + "spec: {admission: {exempt: [{serviceAccounts: ['*/*'], reason: x}]}}", "spec.admission.exempt[0]: matches all requests"},
		"exempt all users":     {head + "spec: {admission: {exempt: [{users: ['*'], namespaces: ['**'], reason: x}]}}", "matches all requests"},
		"exempt the logged in": {head + "spec: {admission: {exempt: [{groups: ['system:authenticated'], reason: x}]}}", "matches all requests"},
		"exempt nobody":        {head + "spec: {admission: {exempt: [{serviceAccounts: [kustomize-controller], reason: x}]}}", `"kustomize-controller" matches none: want NAMESPACE/NAME, as flux-system/kustomize-controller`},
		"exempt for nothing":   {head + "spec: {admission: {exempt: [{users: [x]}]}}", "reason is missing"},
		"annotations":          {head + "spec: {waivers: {annotations: {production: never}}}", "allow or forbid"},
		"annotations tier":     {head + "spec: {waivers: {annotations: {prod: allow}}}", `unknown tier "prod"`},
		"two documents":        {head + "---\n" + head, "more than one document"},
		"wrong type of max":    {head + "spec: {tiers: {}}", "spec.tiers is of type object: want array"},
		"list for a tier":      {head + "spec: {defaultTier: [a]}", "spec.defaultTier is of type array: want string"},
		"off where it is none": {head + "spec: {defaultTier: off}", "spec.defaultTier is of type boolean: want string"},
		"two mistakes":         {head + "spec: {rules: {x: {severity: off, sev: info}}, fix: {prefer: [retry]}}", "spec.fix.prefer is of type array: want string\nline 3: unknown field \"spec.rules.x.sev\": want params, severity, tiers"},
		"not a number":         {head + "spec: {law: {maxRetries: many}}", "spec.law.maxRetries is of type string: want integer"},
		"a half":               {head + "spec: {law: {maxRetries: 1.5}}", "spec.law.maxRetries is of type number: want integer"},
		"enforcement":          {head + "spec: {admission: {enforcment: {}}}", `unknown field "spec.admission.enforcment": want enforcement, exempt; did you mean enforcement?`},
		"list for a spec":      {head + "spec: []", "spec is of type array: want object"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := rules.ParseConfig([]byte(tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q in it", err, tc.want)
			}
		})
	}
}

func TestConfigOff(t *testing.T) {
	for _, word := range []string{"off", `"off"`} {
		config := parse(t, "spec: {rules: {x: {severity: "+word+"}}, admission: {enforcement: {staging: "+word+"}}}")
		if got := config.Spec.Rules["x"].Severity; got != rules.Off {
			t.Errorf("severity: %s is read as %q", word, got)
		}
		if got := config.Enforcement(release.Staging); got != rules.EnforceOff {
			t.Errorf("enforcement: %s is read as %q", word, got)
		}
	}
}

func TestTierOf(t *testing.T) {
	config := parse(t, `
spec:
  tiers:
    - {tier: staging, paths: ["clusters/staging/**"]}
    - {tier: development, namespaces: ["dev-*"], clusters: ["lab"]}
    - {tier: production, clusters: ["prod-*"]}
`)
	for name, tc := range map[string]struct {
		place rules.Place
		want  release.Tier
	}{
		"path":           {rules.Place{Path: "clusters/staging/a/b.yaml"}, release.Staging},
		"first match":    {rules.Place{Path: "clusters/staging/b.yaml", Cluster: "prod-1"}, release.Staging},
		"both lists":     {rules.Place{Namespace: "dev-a", Cluster: "lab"}, release.Development},
		"one list":       {rules.Place{Namespace: "dev-a", Cluster: "other"}, ""},
		"cluster":        {rules.Place{Cluster: "prod-eu"}, release.Production},
		"nothing known":  {rules.Place{}, ""},
		"path elsewhere": {rules.Place{Path: "x/clusters/staging/b.yaml"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tier, ok := config.TierOf(tc.place)
			if tier != tc.want || ok != (tc.want != "") {
				t.Errorf("tier %q %v, want %q", tier, ok, tc.want)
			}
		})
	}
	if got := config.DefaultTier(); got != release.Production {
		t.Errorf("default tier %s, want production", got)
	}
}

func TestControllerAt(t *testing.T) {
	config := parse(t, `
spec:
  controller:
    gates: {DefaultToRetryOnFailure: true}
    overrides:
      - {clusters: [old], version: 1.3.0}
      - {clusters: [old], gates: {DefaultToRetryOnFailure: false}}
`)
	for name, tc := range map[string]struct {
		place   rules.Place
		base    release.Controller
		version string
		gate    bool
	}{
		"default":       {rules.Place{}, release.Controller{}, "", true},
		"tree":          {rules.Place{}, release.Controller{Version: "1.5.3"}, "1.5.3", true},
		"override":      {rules.Place{Cluster: "old"}, release.Controller{Version: "1.5.3"}, "1.3.0", false},
		"config beats":  {rules.Place{}, release.Controller{Gates: release.Gates{"DefaultToRetryOnFailure": false}}, "", true},
		"other cluster": {rules.Place{Cluster: "new"}, release.Controller{}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			got := config.ControllerAt(tc.place, tc.base)
			if got.Version != tc.version || got.Gates.DefaultToRetryOnFailure() != tc.gate {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestIgnores(t *testing.T) {
	config := parse(t, "spec: {ignore: ['**/.archive/**', 'old.yaml']}")
	for path, want := range map[string]bool{
		"a/.archive/b/c.yaml": true, "old.yaml": true, "a/old.yaml": false, "a/archive/c.yaml": false,
	} {
		if got := config.Ignores(path); got != want {
			t.Errorf("ignores %s: %v, want %v", path, got, want)
		}
	}
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte(head + "spec: {tiers: [{tier: staging, paths: ['a/**']}], ignore: ['x']}"))
	f.Add([]byte(head + "spec: {rules: {a: {severity: off, params: {max: 3}, tiers: {staging: {severity: info}}}}}"))
	f.Add([]byte(head + "spec: {waivers: {entries: [{rule: x, until: 2030-01-01, reason: why}]}}"))
	f.Add([]byte(head + "spec: {controller: {version: 1.6.3, gates: {UseHelm3Defaults: true}}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		config, err := rules.ParseConfig(data)
		if err != nil {
			return
		}
		place := rules.Place{Path: "a/b.yaml", Namespace: "n", Cluster: "c"}
		if tier, ok := config.TierOf(place); ok {
			if _, err := release.ParseTier(string(tier)); err != nil {
				t.Errorf("an accepted configuration returns an unknown tier: %v", err)
			}
		}
		config.ControllerAt(place, release.Controller{}).AtLeast("1.0.0")
		config.Ignores("a/b.yaml")
	})
}

func parse(t *testing.T, spec string) *rules.Config {
	t.Helper()
	config, err := rules.ParseConfig([]byte(head + spec))
	if err != nil {
		t.Fatal(err)
	}
	return config
}
