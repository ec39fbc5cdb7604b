package rules

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// invalidIn returns Invalid of an [Input]: of a release whose settings were decoded every type is
// right. Values that are not known are left out, see marksOf.
func invalidIn(object map[string]any, api release.SchemaVersion, r *release.Release) map[string]any {
	out, typed := map[string]any{}, typed(r)
	eachField(object, func(name string, path []any, value any) {
		field, judged := api.Limited[name]
		if !judged && !typed {
			field, judged = api.Plain[name]
		}
		if !judged {
			return
		}
		breaks := field.Breaks(value)
		if breaks != "" && !slices.ContainsFunc(r.Unknown, func(u release.Unknown) bool { return u.Open() && release.Path(path).Within(u.Path) }) {
			list, _ := out[name].([]any)
			out[name] = append(list, map[string]any{"path": slices.Clone(path), "value": value, "breaks": breaks})
		}
	})
	return out
}

// typed reports whether every value has the type that the API wants.
func typed(r *release.Release) bool {
	return r.Settings != nil && !slices.ContainsFunc(r.Unknown, func(u release.Unknown) bool { return u.Written })
}

// apiOf returns what the API server of a release has: by the definition in the tree, else
// what the library of the policies has in lib.fields.
func (c *compiled) apiOf(r *release.Release) (release.SchemaVersion, error) {
	if defined := r.Controller.Schema; defined != nil {
		return defined.Versions[versionOf(r.Object)], nil
	}
	return c.api()
}
