package rules

import (
	"reflect"

	"github.com/flux-remedy/remedy/pkg/release"
)

// before returns the settings of the object that an update replaces; nil if there
// is no such object or it cannot be decoded.
func before(r *release.Release) *release.Settings {
	if r.Old == nil {
		return nil
	}
	return release.EffectiveSettings(r.Old, r.Controller)
}

// changed returns Changed of an [Input].
func changed(r *release.Release, before *release.Settings) (out []string) {
	if r.Settings != nil && before != nil {
		is, was := r.Settings.Target, before.Target
		for _, part := range [][3]string{
			{"name", is.Name, was.Name}, {"namespace", is.Namespace, was.Namespace}, {"storageNamespace", is.StorageNamespace, was.StorageNamespace},
		} {
			if part[1] != part[2] {
				out = append(out, part[0])
			}
		}
	}
	if r.Old != nil && !reflect.DeepEqual(at(r.Object, chartInSpec), at(r.Old, chartInSpec)) {
		out = append(out, "chart")
	}
	return out
}
