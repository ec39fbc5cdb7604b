package rules

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"

	"sigs.k8s.io/yaml"
)

// joinedLists are the lists of a configuration that an extending one adds to. True if its items come
// last, for there the last match wins.
var joinedLists = map[string]bool{
	"tiers": false, "clusters": false, "controller.overrides": true, "waivers.entries": false,
	"undetermined.accept": false, "admission.exempt": false, "ignore": false,
}

// Extend returns the configuration that one makes which extends another: what it sets replaces
// what the other one sets, field by field. Lists whose items each say something by themselves
// are joined, so that the items of the extending one win. The other one extends nothing, and
// names no policies. Its paths count from the folder of the extending one.
func Extend(own, other []byte) (*Config, error) {
	base, err := ParseConfig(other)
	switch {
	case err != nil:
		return nil, err
	case base.Spec.Extends != "":
		return nil, errors.New("spec.extends: it is extended itself: one configuration can extend one other")
	case !base.Spec.Policies.empty():
		return nil, errors.New("spec.policies: only a configuration that nothing extends names policies")
	}
	below, err := document(other)
	above, err2 := document(own)
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	raw, err := json.Marshal(extend(nil, above, below))
	if err != nil {
		return nil, err
	}
	return ParseConfig(raw)
}

func document(data []byte) (out map[string]any, err error) {
	err = yaml.Unmarshal(data, &out)
	return out, err
}

// extend returns a value of a configuration over that of another one.
func extend(at []string, own, other any) any {
	if above, ok := own.(map[string]any); ok {
		if below, ok := other.(map[string]any); ok {
			out := maps.Clone(below)
			for key, value := range above {
				out[key] = extend(append(slices.Clone(at), key), value, below[key])
			}
			return out
		}
	}
	above, ok := own.([]any)
	below, also := other.([]any)
	last, joins := joinedLists[strings.Join(at[min(1, len(at)):], ".")]
	switch {
	case own == nil:
		return other
	case !ok || !also || !joins:
		return own
	case last:
		return slices.Concat(below, above)
	}
	return slices.Concat(above, below)
}

// Inherited returns where a path of an extending configuration is written: the path with the index
// that it has there, and whether that is in the other document.
func Inherited(own, other []byte, field release.Path) (at release.Path, inherited bool) {
	above, err := document(own)
	below, err2 := document(other)
	if errors.Join(err, err2) != nil {
		return field, false
	}
	at = slices.Clone(field)
	for i, step := range field {
		index, ok := step.(int)
		last, joins := joinedLists[strings.TrimPrefix(field[:i].String(), "spec.")]
		if !ok || !joins {
			continue
		}
		mine, _ := field[:i].In(above).([]any)
		theirs, _ := field[:i].In(below).([]any)
		switch {
		case last && index >= len(theirs):
			at[i] = index - len(theirs)
		case !last && index >= len(mine):
			at[i], inherited = index-len(mine), true
		case last:
			inherited = true
		}
		return at, inherited
	}
	return at, field.In(above) == nil && field.In(below) != nil
}
