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
	for _, u := range unread {
		if len(u.Settings()) > 0 {
			release.Unfamiliar = append(release.Unfamiliar, u.Path)
		}
	}
	slices.SortFunc(release.Unfamiliar, comparePaths)
	return release, nil
}

// Replaces makes an admitted release the update of an object, as an API server has it. Of that
// object values that cannot be read, and strategies that are not known here, are unknown.
func (r *Release) Replaces(old map[string]any) {
	r.Old = old
	all := unreadable(old)
	for _, at := range unfamiliar(withoutUnknown(old, all, nil)) {
		if isStrategy(at) {
			all = append(all, Unknown{Path: at, Reason: "had a value that is newer than this program"})
		}
	}
	for _, u := range all {
		u.Before, u.Written = true, true
		r.Unknown = append(r.Unknown, u)
	}
}

// strategies are the fields that say what follows a failed install and upgrade.
var strategies = []Path{{"spec", "install", "strategy", "name"}, {"spec", "upgrade", "strategy", "name"}, {"spec", "upgrade", "remediation", "strategy"}}

func isStrategy(at Path) bool {
	return slices.ContainsFunc(strategies, func(s Path) bool { return s.Within(at) })
}

// KnownStrategies reports whether it is known here what follows a failed install and upgrade.
func (r *Release) KnownStrategies() bool {
	return !slices.ContainsFunc(r.Unknown, Unknown.decides) && !slices.ContainsFunc(r.Unfamiliar, isStrategy)
}

// decides reports whether it depends on the field what follows a failed install or upgrade.
func (u Unknown) decides() bool {
	return !u.Before && slices.ContainsFunc(u.Settings(), func(at Path) bool {
		return len(at) == 0 || (at[0] == "install" || at[0] == "upgrade") && (len(at) == 1 || slices.Contains(deciding, at[1]))
	})
}

// deciding are the settings of a half that say what follows its failure.
var deciding = []any{"strategy", "retryInterval", "remediation", "retries", "remediateLastFailure"}

// Newer returns what is [Release.Unfamiliar] with the reason, and that of strategies alone.
func (r *Release) Newer() (all, deciding []Unknown) {
	reason := "is newer than this program, and not checked"
	if !r.Admitted && r.Controller.Schema == nil {
		reason = "is misspelt, or newer than this program"
	}
	for _, at := range r.Unfamiliar {
		u := Unknown{Path: at, Reason: reason, Written: true}
		if all = append(all, u); isStrategy(at) {
			deciding = append(deciding, u)
		}
	}
	return all, deciding
}

func comparePaths(a, b Path) int { return strings.Compare(a.String(), b.String()) }

// KnownSettings reports whether all that the object says of failure settings is known here.
func (r *Release) KnownSettings() bool {
	return r.Settings != nil && len(r.Unfamiliar) == 0 && r.UnknownSetting() == nil
}
