package flux

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// failureFields are the fields of spec that decide what a failure does.
var failureFields = []string{
	"driftDetection", "install", "interval", "maxHistory", "rollback", "suspend",
	"test", "timeout", "uninstall", "upgrade", "waitStrategy",
}

// identityFields identify a release; if one is unknown, the release is.
var identityFields = []release.Path{
	{"metadata", "name"}, {"metadata", "namespace"}, {"spec", "chart", "spec", "chart"}, {"spec", "chartRef", "name"},
}

// unknownFields returns the failure settings and identity fields with unknown values, by
// path, with the reason. In an object that nothing in the tree applies, any variable is
// unknown.
func unknownFields(obj map[string]any, reasons map[string]string, unapplied bool) map[string]string {
	var out map[string]string
	visit := func(at release.Path, v any) {
		if reason := unknownReason(v, reasons, unapplied); reason != "" {
			if out == nil {
				out = map[string]string{}
			}
			out[at.String()] = reason
		}
	}
	for _, name := range failureFields {
		object.Leaves(release.Path{"spec", name}, object.At(obj, "spec", name), visit)
	}
	for _, at := range identityFields {
		v, _ := object.Follow(obj, at)
		visit(at, v)
	}
	return out
}

// openFields returns the other fields of spec with unknown values, by path, with the
// reason. They make a release unknown only if a rule has something to say of them.
func openFields(obj map[string]any, reasons map[string]string, unapplied bool) map[string]string {
	spec, _ := obj["spec"].(map[string]any)
	var out map[string]string
	for _, name := range sortedKeys(spec) {
		if slices.Contains(failureFields, name) {
			continue
		}
		object.Leaves(release.Path{"spec", name}, spec[name], func(at release.Path, v any) {
			if reason := unknownReason(v, reasons, unapplied); reason != "" {
				if out == nil {
					out = map[string]string{}
				}
				out[at.String()] = reason
			}
		})
	}
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
