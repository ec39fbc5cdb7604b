package rules_test

import (
	"maps"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/release"
)

// decode returns a production release with a spec in YAML.
func decode(t *testing.T, version, spec string, controller release.Controller) *release.Release {
	t.Helper()
	fields := map[string]any{"interval": "1h"}
	maps.Copy(fields, object(t, spec))
	hr, err := release.Decode(map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/" + version, "kind": "HelmRelease",
		"metadata": map[string]any{"name": "app", "namespace": "apps"}, "spec": fields,
	}, controller)
	if err != nil {
		t.Fatal(err)
	}
	hr.Tier = release.Production
	return hr
}

// object reads one object in YAML.
func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
