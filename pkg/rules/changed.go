package rules

import (
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// targetFields are all that the target of a release is made of.
var targetFields = []release.Path{
	{"metadata", "name"},
	{"metadata", "namespace"},
	{"spec", "releaseName"},
	{"spec", "targetNamespace"},
	{"spec", "storageNamespace"},
}

// changed returns Changed of an [Input].
func (v *view) changed() (out []string) {
	r := v.r
	if r.Old == nil {
		return nil
	}
	if slices.ContainsFunc(targetFields, func(field release.Path) bool { return differs(r, field) }) {
		v.decodeBefore()
		out = changedTarget(r.Settings, v.input.Before)
	}
	if differs(r, release.ChartInSource) || differs(r, release.ChartInURL) {
		out = append(out, "chart")
	}
	return out
}

// changedTarget returns the parts of a target that are not the same.
func changedTarget(is, was *release.Settings) (out []string) {
	if is == nil || was == nil {
		return nil
	}
	for _, part := range [][3]string{
		{"name", is.Target.Name, was.Target.Name},
		{"namespace", is.Target.Namespace, was.Target.Namespace},
		{"storageNamespace", is.Target.StorageNamespace, was.Target.StorageNamespace},
	} {
		if part[1] != part[2] {
			out = append(out, part[0])
		}
	}
	return out
}

// differs reports whether an update changes a field.
func differs(r *release.Release, field release.Path) bool {
	is, was := at(r.Object, field), at(r.Old, field)
	if text, ok := is.(string); ok {
		other, ok := was.(string)
		return !ok || text != other
	}
	return (is != nil || was != nil) && !reflect.DeepEqual(is, was)
}
