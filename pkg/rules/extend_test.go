package rules_test

import (
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"

	"sigs.k8s.io/yaml"
)

const extendHead = "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\nspec:\n"

// TestExtend holds an extending configuration to what it makes of another one.
func TestExtend(t *testing.T) {
	other := extendHead + `
  defaultTier: staging
  tiers:
  - {tier: staging, namespaces: [b]}
  controller: {version: 1.5.0, gates: {UseHelm3Defaults: true, DefaultToRetryOnFailure: true}, overrides: [{clusters: [one], version: 1.4.0}]}
  rules: {no-recovery: {severity: "off"}, slow-recovery: {params: {max: 1h}}}
  ignore: [b/**]
  baseline: theirs.yaml
`
	own := extendHead + `
  extends: other.yaml
  tiers:
  - {tier: development, namespaces: [a]}
  controller: {gates: {DefaultToRetryOnFailure: false}, overrides: [{clusters: [two], version: 1.3.0}]}
  rules: {no-recovery: {severity: error}}
  ignore: [a/**]
`
	want := extendHead + `
  extends: other.yaml
  defaultTier: staging
  tiers:
  - {tier: development, namespaces: [a]}
  - {tier: staging, namespaces: [b]}
  controller: {version: 1.5.0, gates: {UseHelm3Defaults: true, DefaultToRetryOnFailure: false}, overrides: [{clusters: [one], version: 1.4.0}, {clusters: [two], version: 1.3.0}]}
  rules: {no-recovery: {severity: error}, slow-recovery: {params: {max: 1h}}}
  ignore: [a/**, b/**]
  baseline: theirs.yaml
`
	got, err := rules.Extend([]byte(own), []byte(other))
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := rules.ParseConfig([]byte(want))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := yaml.Marshal(got)
	b, _ := yaml.Marshal(wanted)
	if string(a) != string(b) {
		t.Errorf("got\n%swant\n%s", a, b)
	}
	for path, want := range map[string]struct {
		at        release.Path
		inherited bool
	}{
		"spec.tiers[0].tier":           {release.Path{"spec", "tiers", 0, "tier"}, false},
		"spec.tiers[1].tier":           {release.Path{"spec", "tiers", 1, "tier"}, true},
		"spec.controller.overrides[0]": {release.Path{"spec", "controller", "overrides", 0}, true},
		"spec.controller.overrides[1]": {release.Path{"spec", "controller", "overrides", 1}, false},
		"spec.defaultTier":             {release.Path{"spec", "defaultTier"}, true},
		"spec.rules.no-recovery":       {release.Path{"spec", "rules", "no-recovery"}, false},
		"spec.fix":                     {release.Path{"spec", "fix"}, false},
	} {
		at, inherited := rules.Inherited([]byte(own), []byte(other), want.at)
		first := strings.Replace(strings.Replace(path, "tiers[1]", "tiers[0]", 1), "overrides[1]", "overrides[0]", 1)
		if inherited != want.inherited || at.String() != first {
			t.Errorf("%s is written at %s, inherited %t", path, at, inherited)
		}
	}
}

// TestExtendRefuses names what cannot be extended.
func TestExtendRefuses(t *testing.T) {
	for other, want := range map[string]string{
		extendHead + "  extends: third.yaml":             "one configuration can extend one other",
		extendHead + "  policies: {folders: [policies]}": "only a configuration that nothing extends names policies",
		extendHead + "  teirs: []":                       "unknown field",
		"apiVersion: v1\nkind: ConfigMap\nspec: {}":      "want flux-remedy.io/v1alpha1",
	} {
		_, err := rules.Extend([]byte(extendHead+"  extends: other.yaml"), []byte(other))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", other, err, want)
		}
	}
}
