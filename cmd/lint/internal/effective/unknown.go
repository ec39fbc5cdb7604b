package effective

import (
	"fmt"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// unknownFields returns the fields with unknown values that a rule may read: all but the
// status and spec.values. In an object that nothing in the tree applies, any variable is
// unknown.
func unknownFields(obj map[string]any, reasons map[string]string, unapplied bool) []release.Unknown {
	seen := maps.Clone(obj)
	delete(seen, "status")
	if spec, ok := obj["spec"].(map[string]any); ok {
		spec = maps.Clone(spec)
		delete(spec, "values")
		seen["spec"] = spec
	}
	if !variables.MayVary(seen) {
		return nil
	}
	var out []release.Unknown
	object.Leaves(nil, seen, func(at release.Path, v any) {
		if reason := unknownReason(v, reasons, unapplied); reason != "" {
			out = append(out, release.Unknown{Path: unmarked(at), Reason: reason})
		}
	})
	eachKey(nil, seen, func(at release.Path, key string) {
		if reason := unknownReason(key, reasons, unapplied); reason != "" {
			out = append(out, release.Unknown{Path: unmarked(at), Reason: "has a key that " + reason})
		}
	})
	return out
}

// unmarked returns a path with variables in place of markers.
func unmarked(at release.Path) release.Path {
	at = slices.Clone(at)
	for i, step := range at {
		at[i] = variables.UnmarkAll(step)
	}
	return at
}

// eachKey calls f for every key in a value with the path of the object that has it. An
// object with an unknown key may have any field.
func eachKey(at release.Path, v any, f func(release.Path, string)) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			f(at, key)
			eachKey(append(slices.Clone(at), key), v[key], f)
		}
	case []any:
		for i, item := range v {
			eachKey(append(slices.Clone(at), i), item, f)
		}
	}
}

func unknownReason(v any, reasons map[string]string, unapplied bool) string {
	text, _ := v.(string)
	names := variables.Unknown(text)
	switch {
	case len(names) > 0 && reasons[names[0]] != "":
		return fmt.Sprintf("depends on the variable %s: %s", names[0], reasons[names[0]])
	case len(names) > 0:
		return fmt.Sprintf("depends on the variable %s, whose value is not in the tree", names[0])
	case unapplied && variables.Use().MatchString(text):
		return "depends on a variable, and nothing in the tree applies the release"
	}
	return ""
}
