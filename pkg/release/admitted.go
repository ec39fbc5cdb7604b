package release

import (
	"slices"
	"strings"
)

// DecodeAdmitted is [Decode] for an object that an API server has admitted to its schema. That
// schema may be newer than the API that is known here, so that nothing is wrong with the
// object's fields and values: strategies are in force whatever the controller's version, a
// value that cannot be read is one of [Release.Unknown], and all that is not known of the
// failure settings is in [Release.Unfamiliar].
func DecodeAdmitted(object map[string]any, controller Controller) (*Release, error) {
	unread := unreadable(object)
	release, err := decodeUnknown(object, unread, controller, true)
	if err != nil {
		return nil, err
	}
	release.Admitted, release.Unfamiliar = true, unfamiliar(object)
	for _, u := range unread {
		if len(u.Settings()) > 0 {
			release.Unfamiliar = append(release.Unfamiliar, u.Path)
		}
	}
	slices.SortFunc(release.Unfamiliar, func(a, b Path) int { return strings.Compare(a.String(), b.String()) })
	return release, nil
}

// KnownStrategies reports whether it is known here what follows a failed install and upgrade.
func (r *Release) KnownStrategies() bool {
	known := func(path Path) bool {
		return !slices.ContainsFunc(r.Unfamiliar, func(u Path) bool { return path.Within(u) })
	}
	return r.UnknownSetting() == nil && known(Path{"spec", "install", "strategy", "name"}) && known(Path{"spec", "upgrade", "strategy", "name"}) &&
		known(Path{"spec", "upgrade", "remediation", "strategy"})
}

// KnownSettings reports whether all that the object says of failure settings is known here.
func (r *Release) KnownSettings() bool {
	return r.Settings != nil && len(r.Unfamiliar) == 0 && r.UnknownSetting() == nil
}
