package main

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// knob is a setting that matters in a failure, with the values to try; nil is not
// set.
type knob struct {
	path   release.Path
	values []any
}

var knobs = []knob{
	{release.Path{"spec", "install", "strategy", "name"}, []any{nil, "RemediateOnFailure", "RetryOnFailure", "RetryOnFailure"}},
	{release.Path{"spec", "upgrade", "strategy", "name"}, []any{nil, "RemediateOnFailure", "RetryOnFailure", "RetryOnFailure"}},
	{release.Path{"spec", "install", "strategy", "retryInterval"}, []any{nil, nil, nil, "0s", "5m"}},
	{release.Path{"spec", "upgrade", "strategy", "retryInterval"}, []any{nil, nil, nil, "0s", "5m"}},
	{release.Path{"spec", "install", "remediation", "retries"}, []any{nil, nil, 0.0, 1.0, 3.0, 11.0, 50.0, -1.0}},
	{release.Path{"spec", "upgrade", "remediation", "retries"}, []any{nil, nil, 0.0, 1.0, 3.0, 11.0, 50.0, -1.0}},
	{release.Path{"spec", "upgrade", "remediation", "remediateLastFailure"}, []any{nil, nil, true, false}},
	{release.Path{"spec", "upgrade", "remediation", "strategy"}, []any{nil, nil, "rollback", "uninstall"}},
	{release.Path{"spec", "rollback", "disableWait"}, []any{nil, nil, nil, true}},
	{release.Path{"spec", "uninstall", "keepHistory"}, []any{nil, nil, nil, true}},
	{release.Path{"spec", "interval"}, []any{"10m", "10m", "10m", "0s"}},
	{release.Path{"spec", "upgrade", "crds"}, []any{nil, nil, "Skip"}},
}

// randomObject returns a release with a random value for every knob.
func randomObject(random *rand.Rand) map[string]any {
	object := map[string]any{}
	for _, k := range knobs {
		k.turn(object, random)
	}
	return settled(object)
}

// turn writes one of the knob's values.
func (k knob) turn(object map[string]any, random *rand.Rand) {
	write(object, k.path, k.values[random.IntN(len(k.values))])
}

// settled deletes what the API server refuses: a retryInterval together with
// RemediateOnFailure or without a name.
func settled(object map[string]any) map[string]any {
	for _, half := range []string{"install", "upgrade"} {
		strategy := release.Path{"spec", half, "strategy"}
		if append(slices.Clone(strategy), "name").In(object) != "RetryOnFailure" {
			write(object, append(slices.Clone(strategy), "retryInterval"), nil)
		}
	}
	return object
}

// write sets a field, or deletes it together with parents that become empty.
func write(object map[string]any, path release.Path, value any) {
	key := path[0].(string)
	if len(path) == 1 {
		if object[key] = value; value == nil {
			delete(object, key)
		}
		return
	}
	inner, ok := object[key].(map[string]any)
	if !ok {
		inner = map[string]any{}
	}
	object[key] = inner
	if write(inner, path[1:], value); len(inner) == 0 {
		delete(object, key)
	}
}

func copied(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
