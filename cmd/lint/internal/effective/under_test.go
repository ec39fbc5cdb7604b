package effective

import (
	"slices"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// What was not known of a release is known where an edit of it writes the field, or what holds it, and nowhere else.
func TestEditedUnknown(t *testing.T) {
	obj := map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": map[string]any{"name": "app"},
		"spec": map[string]any{"timeout": "${T}", "upgrade": map[string]any{"strategy": map[string]any{"name": "${S}"}}},
	}
	strategy := release.Path{"spec", "upgrade", "strategy"}
	named, timeout := append(slices.Clone(strategy), "name"), release.Path{"spec", "timeout"}
	decoded, err := release.DecodeUnknown(obj, []release.Unknown{{Path: named}, {Path: timeout}}, release.Controller{Version: release.DefaultControllerVersion})
	if err != nil {
		t.Fatal(err)
	}
	retry := map[string]any{"name": "RetryOnFailure"}
	for name, c := range map[string]struct {
		edit rules.Edit
		want []string
	}{
		"the field":       {rules.Edit{Path: named, Value: "RetryOnFailure"}, []string{"spec.timeout"}},
		"what holds it":   {rules.Edit{Path: strategy, Value: retry}, []string{"spec.timeout"}},
		"another field":   {rules.Edit{Path: release.Path{"spec", "interval"}, Value: "1h"}, []string{"spec.upgrade.strategy.name", "spec.timeout"}},
		"below it":        {rules.Edit{Path: append(slices.Clone(timeout), "of"), Value: "1h"}, []string{"spec.upgrade.strategy.name", "spec.timeout"}},
		"of what applies": {rules.Edit{Object: "Kustomization/flux-system/apps", Path: timeout, Value: "5m"}, []string{"spec.upgrade.strategy.name", "spec.timeout"}},
	} {
		var got []string
		for _, u := range (&Release{Release: decoded}).Edited([]rules.Edit{c.edit}).Unknown {
			got = append(got, u.Path.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s is edited: unknown are %v, want %v", name, got, c.want)
		}
	}
}
