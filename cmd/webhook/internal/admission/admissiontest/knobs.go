package admissiontest

import (
	"math/rand/v2"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Knob is a setting that matters in a failure, with the values to try; nil is not
// set.
type Knob struct {
	Path   release.Path
	Values []any
}

// Knobs are settings of a failure.
var Knobs = []Knob{
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

// RandomObject returns a release with a random value for every knob.
func RandomObject(random *rand.Rand) map[string]any {
	object := map[string]any{}
	for _, k := range Knobs {
		k.Turn(object, random)
	}
	return Settled(object)
}

// Turn writes one of the knob's values.
func (k Knob) Turn(object map[string]any, random *rand.Rand) {
	Write(object, k.Path, k.Values[random.IntN(len(k.Values))])
}

// Settled deletes what the API server refuses: a retryInterval together with
// RemediateOnFailure or without a name.
func Settled(object map[string]any) map[string]any {
	for _, half := range []string{"install", "upgrade"} {
		strategy := release.Path{"spec", half, "strategy"}
		if append(slices.Clone(strategy), "name").In(object) != "RetryOnFailure" {
			Write(object, append(slices.Clone(strategy), "retryInterval"), nil)
		}
	}
	return object
}

// Write sets a field, or deletes it together with parents that become empty.
func Write(object map[string]any, path release.Path, value any) {
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
	if Write(inner, path[1:], value); len(inner) == 0 {
		delete(object, key)
	}
}

// CoreKnobs are the settings that the law of the project is about, with the values to try.
var CoreKnobs = []Knob{
	{release.Path{"spec", "install", "strategy", "name"}, []any{nil, "RemediateOnFailure", "RetryOnFailure"}},
	{release.Path{"spec", "install", "strategy", "retryInterval"}, []any{nil, "0s", "90s"}},
	{release.Path{"spec", "install", "remediation", "retries"}, []any{nil, 0.0, 1.0, 3.0, 10.0, 11.0, -1.0}},
	{release.Path{"spec", "install", "remediation", "remediateLastFailure"}, []any{nil, true, false}},
	{release.Path{"spec", "upgrade", "strategy", "name"}, []any{nil, "RemediateOnFailure", "RetryOnFailure"}},
	{release.Path{"spec", "upgrade", "strategy", "retryInterval"}, []any{nil, "0s", "90s"}},
	{release.Path{"spec", "upgrade", "remediation", "retries"}, []any{nil, 0.0, 1.0, 3.0, 10.0, 11.0, -1.0}},
	{release.Path{"spec", "upgrade", "remediation", "remediateLastFailure"}, []any{nil, true, false}},
	{release.Path{"spec", "upgrade", "remediation", "strategy"}, []any{nil, "rollback", "uninstall"}},
}

// MoreKnobs are settings that decide other faults than those of the law.
var MoreKnobs = append(slices.Clone(Knobs),
	Knob{release.Path{"spec", "timeout"}, []any{nil, nil, nil, "0s", "10m"}},
	Knob{release.Path{"spec", "install", "timeout"}, []any{nil, nil, nil, "0s", "1h30m"}},
	Knob{release.Path{"spec", "rollback", "timeout"}, []any{nil, nil, nil, "0s"}},
	Knob{release.Path{"spec", "test", "enable"}, []any{nil, true}},
	Knob{release.Path{"spec", "test", "ignoreFailures"}, []any{nil, true, false}},
	Knob{release.Path{"spec", "install", "remediation", "ignoreTestFailures"}, []any{nil, nil, true, false}},
	Knob{release.Path{"spec", "upgrade", "remediation", "ignoreTestFailures"}, []any{nil, nil, true, false}},
	Knob{release.Path{"spec", "upgrade", "preserveValues"}, []any{nil, nil, nil, true}},
	Knob{release.Path{"spec", "install", "replace"}, []any{nil, true}},
	Knob{release.Path{"spec", "install", "disableWait"}, []any{nil, nil, nil, true}},
	Knob{release.Path{"spec", "upgrade", "disableWait"}, []any{nil, nil, nil, true}},
	Knob{release.Path{"spec", "uninstall", "disableWait"}, []any{nil, nil, nil, true}},
	Knob{release.Path{"spec", "uninstall", "deletionPropagation"}, []any{nil, nil, "orphan", "background"}},
	Knob{release.Path{"spec", "uninstall", "timeout"}, []any{nil, nil, nil, "0s", "5m"}},
	Knob{release.Path{"spec", "test", "timeout"}, []any{nil, nil, nil, "0s", "5m"}},
	Knob{release.Path{"spec", "maxHistory"}, []any{nil, nil, 0.0, 3.0}},
)
