package release_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// fieldValues are values of all types that a field of the API may have.
var fieldValues = []any{
	nil, true, false, -1.0, 0.0, 3.0, "0s", "1s", "1h", "x", "RetryOnFailure", "RemediateOnFailure", "rollback", "uninstall",
	"poller", "legacy", "enabled", "warn", "background", "orphan", "Reinstall", "InPlaceUpdate",
	map[string]any{},
}

// A setting changes with a field of the API only if the field says that it may.
func TestSettingsOfFields(t *testing.T) {
	bases := []map[string]any{
		{"interval": "1h"},
		{"interval": "1h", "timeout": "2m", "test": map[string]any{"enable": true}, "upgrade": map[string]any{"remediation": map[string]any{"retries": 3.0}}},
		{"interval": "1h", "install": map[string]any{"strategy": map[string]any{"name": "RetryOnFailure"}}, "upgrade": map[string]any{"strategy": map[string]any{"name": "RetryOnFailure"}}},
	}
	changed := map[string]bool{}
	for _, base := range bases {
		for _, at := range release.APIFields() {
			may := release.Unknown{Path: at}.Settings()
			all := []map[string]any{}
			for _, value := range fieldValues {
				if settings := settingsWith(t, base, at, value); settings != nil {
					all = append(all, settings)
				}
			}
			for _, other := range all[1:] {
				eachDifference(nil, all[0], other, func(setting release.Path) {
					changed[setting.String()] = true
					if !slices.ContainsFunc(may, setting.Within) {
						t.Errorf("%s changes %s, but says only %v", at, setting, may)
					}
				})
			}
		}
	}
	eachLeaf(nil, settingsWith(t, bases[0], release.Path{"spec", "interval"}, "1h"), func(setting release.Path) {
		if !changed[setting.String()] && !slices.Contains(fixed, setting.String()) {
			t.Errorf("no field changes %s: settingsOf does not read it, fieldValues has no value for it, or it is of the other half and one of fixed", setting)
		}
	})
}

// fixed are the settings that no field changes: of an install those that only an upgrade
// has, and the other way round.
var fixed = []string{"install.remediation", "install.preserveValues", "install.cleanupOnFail", "upgrade.replace"}

// settingsWith returns the settings with a value in a field, as JSON; nil if the API has
// another type there.
func settingsWith(t *testing.T, base map[string]any, at release.Path, value any) map[string]any {
	t.Helper()
	object := map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": "app", "namespace": "apps"}, "spec": base,
	}
	r, err := release.Decode(set(object, at, value), release.Controller{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Settings == nil {
		return nil
	}
	data, err := json.Marshal(r.Settings)
	if err != nil {
		t.Fatal(err)
	}
	var settings map[string]any
	if err := json.Unmarshal(data, &settings); err != nil {
		t.Fatal(err)
	}
	return settings
}

// set returns an object with a value at a path; nil removes it.
func set(object map[string]any, at release.Path, value any) map[string]any {
	out := maps.Clone(object)
	if out == nil {
		out = map[string]any{}
	}
	key := at[0].(string)
	if len(at) == 1 {
		out[key] = value
		if value == nil {
			delete(out, key)
		}
		return out
	}
	below, _ := object[key].(map[string]any)
	out[key] = set(below, at[1:], value)
	return out
}

func eachDifference(at release.Path, a, b any, f func(release.Path)) {
	x, ok := a.(map[string]any)
	y, also := b.(map[string]any)
	if !ok || !also {
		if !reflect.DeepEqual(a, b) {
			f(at)
		}
		return
	}
	for key := range x {
		eachDifference(append(slices.Clone(at), key), x[key], y[key], f)
	}
}

func eachLeaf(at release.Path, v any, f func(release.Path)) {
	fields, ok := v.(map[string]any)
	if !ok {
		f(at)
	}
	for key := range fields {
		eachLeaf(append(slices.Clone(at), key), fields[key], f)
	}
}
