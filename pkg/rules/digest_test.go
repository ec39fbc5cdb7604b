package rules_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/flux-remedy/remedy/pkg/rules"
)

const configHeader = "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\n"

func digestUnder(t *testing.T, engine *rules.Engine, spec string) rules.Digest {
	t.Helper()
	config, err := rules.ParseConfig([]byte(configHeader + spec))
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	under, err := engine.Under(config)
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	return under.Digest()
}

// TestDigestOfConfigurations: configurations that judge the same have the same digest,
// others have not.
func TestDigestOfConfigurations(t *testing.T) {
	engine, err := rules.New(t.Context(), policy(nil))
	if err != nil {
		t.Fatal(err)
	}
	same := [][]string{
		{
			"", "spec: {}", "# A comment.\nspec: {rules: {}}", "metadata: {name: ours}",
			"spec: {defaultTier: production, tierMarkers: raise, law: {maxRetries: 10}, waivers: {annotations: {production: allow}}}",
			"spec: {rules: {no-recovery: {severity: error, tiers: {staging: {severity: warning}, development: {severity: \"off\"}}}}}",
			"spec: {rules: {no-recovery: {params: {max: 1, wait: 1m30s, names: [a]}}}}",
			// What others than the webhook do, and what only the webhook does.
			"spec: {ignore: [old/**], sources: {GitRepository/a/b: b}, clusters: [{name: one, path: one}]}",
			"spec: {admission: {enforcement: {production: warn}}, audit: {}}",
		},
		{"spec: {law: {maxRetries: 3}}", "spec: {law: {tiers: {production: {maxRetries: 3}, staging: {maxRetries: 3}, development: {maxRetries: 3}}}}"},
		{"spec: {law: {statefulCharts: [a, b]}}", "spec: {law: {statefulCharts: [b, a, b]}}"},
		{"spec: {rules: {no-recovery: {severity: info}}}", "spec: {rules: {no-recovery: {tiers: {production: {severity: info}, staging: {severity: info}, development: {severity: info}}}}}"},
		{"spec: {rules: {no-recovery: {params: {wait: 2m}}}}", "spec: {rules: {no-recovery: {params: {wait: 120s}}}}"},
		{
			"spec: {waivers: {entries: [{rule: no-recovery, namespace: a, until: 2031-01-01, reason: one}, {rule: no-recovery, namespace: b, until: 2031-01-01, reason: two}]}}",
			"spec: {waivers: {entries: [{rule: no-recovery, namespace: b, until: 2031-01-01, reason: three, owner: me}, {rule: no-recovery, namespace: a, until: 2031-01-01, reason: one}]}}",
		},
		{"spec: {waivers: {entries: [{rule: no-recovery, until: 2031-01-02, reason: one}]}}"},
		{"spec: {waivers: {maxDays: 3}}"},
		{"spec: {waivers: {annotations: {production: forbid}}}"},
		{"spec: {defaultTier: staging}"},
		{"spec: {tierMarkers: forbid}"},
		{"spec: {tiers: [{tier: staging, namespaces: [a]}, {tier: production, namespaces: [b]}]}"},
		{"spec: {tiers: [{tier: production, namespaces: [b]}, {tier: staging, namespaces: [a]}]}"},
		{"spec: {clusters: [{name: one, path: one, tier: staging}]}", "spec: {clusters: [{name: one, path: two, tier: staging}]}"},
		{"spec: {controller: {version: 1.5.0}}"},
	}
	seen := map[rules.Digest]string{}
	for _, group := range same {
		first := digestUnder(t, engine, group[0])
		if other, known := seen[first]; known {
			t.Errorf("%q and %q have the same digest", group[0], other)
		}
		seen[first] = group[0]
		for _, spec := range group {
			if got := digestUnder(t, engine, spec); got != first {
				t.Errorf("%q: digest %s, want that of %q", spec, got, group[0])
			}
		}
	}
}

// TestDigestOfPolicies: the Rego counts, however its files are called, and no test of it.
func TestDigestOfPolicies(t *testing.T) {
	digest := func(sources ...map[string]string) rules.Digest {
		t.Helper()
		all := []map[string]string{nil}
		first := policy(all[0])
		engine, err := rules.New(t.Context(), first)
		if len(sources) > 0 {
			own := fstest.MapFS{}
			for _, files := range sources {
				for name, text := range files {
					own[name] = &fstest.MapFile{Data: []byte(text)}
				}
			}
			engine, err = rules.New(t.Context(), first, own)
		}
		if err != nil {
			t.Fatal(err)
		}
		return engine.Digest()
	}
	own := strings.ReplaceAll(ruleRego, "no-recovery", "own")
	with := digest(map[string]string{"own.rego": own})
	if got := digest(map[string]string{"folder/of/own.rego": own, "own_test.rego": "package remedy.own_test", "README.md": "own"}); got != with {
		t.Error("names, tests and pages count")
	}
	if with == digest() || with == digest(map[string]string{"own.rego": own + "\n"}) {
		t.Error("a rule does not count")
	}
	if !strings.HasPrefix(with.String(), "sha256:") || len(with) != len("sha256:")+64 || !strings.HasPrefix(strings.TrimPrefix(with.String(), "sha256:"), with.Short()) || len(with.Short()) != 12 {
		t.Errorf("digest %s, short %s", with, with.Short())
	}
}

// TestDigestCoversSpec asks of every field of the configuration whether it decides a
// verdict. A new field belongs here, and into the digest if it does.
func TestDigestCoversSpec(t *testing.T) {
	decides := []string{"DefaultTier", "Tiers", "TierMarkers", "Clusters", "Controller", "Law", "Rules", "RulesAsOf", "Waivers"}
	not := []string{"Extends", "Policies", "RulePages", "Sources", "Undetermined", "Baseline", "Admission", "Audit", "Fix", "Ignore"}
	for field := range reflect.TypeFor[rules.ConfigSpec]().Fields() {
		if !slices.Contains(decides, field.Name) && !slices.Contains(not, field.Name) {
			t.Errorf("spec.%s: does it decide a verdict? If so it belongs into the digest", field.Name)
		}
	}
}
