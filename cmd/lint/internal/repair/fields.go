package repair

import (
	"maps"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// changedFields lists the fields that differ between two objects, the lowest that do.
func changedFields(at release.Path, a, b any) []release.Path {
	if reflect.DeepEqual(a, b) {
		return nil
	}
	x, ok := a.(map[string]any)
	y, ok2 := b.(map[string]any)
	if !ok || !ok2 {
		return []release.Path{at}
	}
	keys := slices.Collect(maps.Keys(x))
	for key := range y {
		if _, both := x[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var out []release.Path
	for _, key := range keys {
		out = append(out, changedFields(append(slices.Clone(at), key), x[key], y[key])...)
	}
	return out
}

// writes reports whether the repair of a finding writes a field of the release, or a part of it.
func (t target) writes(at release.Path) bool {
	for _, e := range t.finding.Fix.Set {
		if n := min(len(e.Path), len(at)); e.Object == "" && slices.Equal(e.Path[:n], at[:n]) {
			return true
		}
	}
	return false
}
