package release_test

import (
	"slices"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

func TestParseField(t *testing.T) {
	for text, want := range map[string]release.Path{
		"spec":                                {"spec"},
		"spec.upgrade.remediation.retries":    {"spec", "upgrade", "remediation", "retries"},
		"spec.valuesFrom[1].name":             {"spec", "valuesFrom", 1, "name"},
		`spec.commonMetadata.labels["a.b/c"]`: {"spec", "commonMetadata", "labels", "a.b/c"},
	} {
		got, err := release.ParseField(text)
		if err != nil || !slices.Equal(got, want) || got.String() != text {
			t.Errorf("%s is %#v, %v", text, got, err)
		}
	}
	for _, text := range []string{".", "spec.", "spec..a", "spec[", "spec[-1]", "spec a", `spec["a]`, "spec[99999999999999999999]"} {
		if got, err := release.ParseField(text); err == nil {
			t.Errorf("%s is %#v, want an error", text, got)
		}
	}
}

// Each setting belongs to a field of the API, but for those that no field sets.
func TestByField(t *testing.T) {
	object := map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": map[string]any{"name": "a", "namespace": "b"},
		"spec": map[string]any{"interval": "1h30m", "install": map[string]any{"strategy": map[string]any{"name": "RetryOnFailure"}}},
	}
	r, err := release.Decode(object, release.Controller{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for _, s := range r.Settings.ByField() {
		if _, twice := got[s.Field.String()]; twice {
			t.Errorf("%s twice", s.Field)
		}
		got[s.Field.String()] = s.Value
	}
	for field, want := range map[string]any{
		"spec.interval": "1h30m", "spec.timeout": "5m", "spec.install.strategy.name": "RetryOnFailure", "spec.install.strategy.retryInterval": "5m",
		"spec.upgrade.remediation.retries": 0, "spec.upgrade.remediation.strategy": "rollback", "spec.waitStrategy.name": "poller",
		"spec.releaseName": "a", "spec.targetNamespace": "b", "spec.driftDetection.mode": "disabled", "spec.uninstall.keepHistory": false,
	} {
		if got[field] != want {
			t.Errorf("%s is %v, want %v", field, got[field], want)
		}
	}
	for _, none := range []string{"spec.install.remediation.strategy", "spec.install.preserveValues", "spec.upgrade.replace", "spec.upgrade.strategy.retryInterval"} {
		if value, ok := got[none]; ok {
			t.Errorf("%s is %v, want none", none, value)
		}
	}
}

func TestMayHold(t *testing.T) {
	for text, want := range map[string]bool{
		"spec": true, "spec.install": true, "spec.install.remediation": true, "spec.valuesFrom": true, "spec.commonMetadata.labels": true,
		"spec.nothing": true, "spec.values": true, "spec.test.filters": true,
		"spec.chart.spec.layerSelector": true, "spec.chart.spec.verify.matchOIDCIdentity": true, "spec.chart.spec.ref.future": true, "spec.valuesFrom[1]": true,
		"spec.chart.kind": false, "spec.chart.spec.url": false, "spec.chart.spec.ref.tag": false, "spec.chart.spec.insecure": false, "spec.valuesFrom[1].name": false,
		"spec.timeout": false, "spec.install.remediation.retries": false, "spec.suspend": false, "spec.upgrade.strategy.name": false,
	} {
		at, err := release.ParseField(text)
		if got := release.MayHold(at); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}
