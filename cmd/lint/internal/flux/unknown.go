package flux

import (
	"fmt"
	"maps"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
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
	var out []release.Unknown
	object.Leaves(nil, seen, func(at release.Path, v any) {
		if reason := unknownReason(v, reasons, unapplied); reason != "" {
			out = append(out, release.Unknown{Path: at, Reason: reason})
		}
	})
	return out
}

func unknownReason(v any, reasons map[string]string, unapplied bool) string {
	text, _ := v.(string)
	names := build.Unknown(text)
	switch {
	case len(names) > 0 && reasons[names[0]] != "":
		return fmt.Sprintf("depends on the variable %s: %s", names[0], reasons[names[0]])
	case len(names) > 0:
		return fmt.Sprintf("depends on the variable %s, whose value is not in the tree", names[0])
	case unapplied && build.VariableUse.MatchString(text):
		return "depends on a variable, and nothing in the tree applies the release"
	}
	return ""
}
