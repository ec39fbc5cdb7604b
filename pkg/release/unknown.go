package release

import (
	"maps"
	"slices"
)

// Unknown is a field whose value is not known.
type Unknown struct {
	Path   Path
	Reason string // "depends on the variable REPLICAS, whose value is not in the tree"
	// Text is true if the API wants text in the field, so that the value cannot have
	// a wrong type. DecodeUnknown sets it.
	Text bool
	// Written is true if the value is there, and only what it means is not known.
	Written bool
	// Before is true of a field of the object that an update replaces.
	Before bool
}

// Open reports whether the value in the object that is applied may be any.
func (u Unknown) Open() bool { return !u.Written && !u.Before }

// DecodeUnknown is [Decode] for an object with unknown fields. Its settings are those that
// it would have without these fields: [Unknown.Settings] says which of them are not known. A
// value of another type than the API has here is unknown, too, where the API may be newer.
func DecodeUnknown(object map[string]any, unknown []Unknown, controller Controller) (*Release, error) {
	for _, u := range unreadable(withoutUnknown(object, unknown, nil)) {
		if controller.effective().mayTake(object, u.Path) {
			u.Written = true
			unknown = append(slices.Clip(unknown), u)
		}
	}
	return decodeUnknown(object, unknown, controller, false)
}

// mayTake reports whether the API server may take a value at a path of a type that the API does
// not have here.
func (c Controller) mayTake(object map[string]any, at Path) bool {
	if c.Schema == nil {
		return !c.KnowsSchema()
	}
	field, _ := c.Schema.field(object, at)
	return field.Type != goType(fieldName(at))
}

// decodeUnknown decodes an object of which some fields are not known. admitted reports whether the API
// server has taken it.
func decodeUnknown(object map[string]any, unknown []Unknown, controller Controller, admitted bool) (*Release, error) {
	release, err := decode(withoutUnknown(object, unknown, nil), controller, admitted)
	if err != nil {
		return nil, err
	}
	release.Object = object
	for _, u := range unknown {
		_, err := typed(withoutUnknown(object, unknown, u.Path), admitted || hasStrategy(object, controller))
		_, holds := u.Path.In(object).(map[string]any) // some of its keys are not known
		u.Text = err == nil && !holds
		release.Unknown = append(release.Unknown, u)
	}
	release.Name, release.Namespace = metadata(object, "name"), metadata(object, "namespace")
	return release, nil
}

// withoutUnknown returns an object without unknown fields, but for the one at a path.
func withoutUnknown(object map[string]any, unknown []Unknown, but Path) map[string]any {
	for _, u := range unknown {
		if !slices.Equal(u.Path, but) {
			object, _ = removed(object, u.Path).(map[string]any)
		}
	}
	return object
}

// removed returns a value without the field at a path. Items of lists stay.
func removed(v any, at Path) any {
	object, ok := v.(map[string]any)
	if !ok || len(at) == 0 {
		return v
	}
	key, _ := at[0].(string)
	if len(at) == 1 {
		return without(object, key)
	}
	below, ok := object[key]
	if !ok {
		return v
	}
	object = maps.Clone(object)
	object[key] = removed(below, at[1:])
	return object
}

// Unidentified returns the first unknown field that identifies the release; nil if there
// is none.
func (r *Release) Unidentified() *Unknown {
	for i, u := range r.Unknown {
		if name := u.Path.String(); name == "metadata.name" || name == "metadata.namespace" {
			return &r.Unknown[i]
		}
	}
	return nil
}

// UnknownSetting returns the first unknown field that a setting depends on; nil if all
// settings are known.
func (r *Release) UnknownSetting() *Unknown {
	for i, u := range r.Unknown {
		if len(u.Settings()) > 0 && !u.Before {
			return &r.Unknown[i]
		}
	}
	return nil
}

// Settings returns the paths within [Settings] of those that may depend on the field, as
// settingsOf resolves them, or on one that it is part of.
func (u Unknown) Settings() []Path {
	switch at := u.names(); {
	case at[0] == "metadata" && (at[1] == "" || at[1] == "name" || at[1] == "namespace"):
		return []Path{{"target"}}
	case at[0] != "spec":
		return nil
	case at[1] == "":
		return []Path{{}}
	default:
		return settingsFrom(at[1], at[2], at[3])
	}
}

// names returns the first four steps of the path, "" where there is none.
func (u Unknown) names() (out [4]string) {
	for i, step := range u.Path[:min(len(out), len(u.Path))] {
		out[i], _ = step.(string)
	}
	return out
}

// settingsFrom returns the settings that may depend on a field below spec: a section, a
// field of it, and one below that.
func settingsFrom(section, field, below string) []Path {
	switch section {
	case "timeout": // the actions' own default to it
		return []Path{
			{"timeout"}, {"install", "timeout"}, {"upgrade", "timeout"}, {"test", "timeout"}, {"rollback", "timeout"}, {"uninstall", "timeout"},
		}
	case "releaseName", "targetNamespace", "storageNamespace":
		return []Path{{"target"}}
	case "interval", "suspend", "maxHistory", "waitStrategy", "driftDetection":
		return []Path{{section}}
	case "test":
		return append(fieldOf(section, field), Path{"install", "ignoreTestFailures"}, Path{"upgrade", "ignoreTestFailures"})
	case "rollback", "uninstall":
		return fieldOf(section, field)
	case "install", "upgrade":
		return settingsOfHalf(section, field, below)
	}
	return nil
}

func settingsOfHalf(half, field, below string) []Path {
	switch field {
	case "strategy":
		if below == "retryInterval" {
			return []Path{{half, "retryInterval"}}
		}
		return []Path{{half, "strategy"}, {half, "retryInterval"}}
	case "remediation":
		switch below {
		case "strategy":
			return []Path{{half, "remediation"}}
		case "remediateLastFailure", "ignoreTestFailures":
			return []Path{{half, below}}
		case "retries": // whether the last failure is remediated depends on them
			return []Path{{half, "retries"}, {half, "remediateLastFailure"}}
		}
		return []Path{{half, "remediation"}, {half, "retries"}, {half, "remediateLastFailure"}, {half, "ignoreTestFailures"}}
	case "chartNameChangeStrategy":
		return []Path{{field}}
	case "":
		return []Path{{half}, {"chartNameChangeStrategy"}}
	}
	return fieldOf(half, field)
}

func fieldOf(section, field string) []Path {
	if field == "" {
		return []Path{{section}}
	}
	return []Path{{section, field}}
}

// Within reports whether a path is another one or below it.
func (p Path) Within(above Path) bool {
	return len(p) >= len(above) && slices.Equal(p[:len(above)], above)
}
