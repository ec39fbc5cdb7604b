package release

import (
	"reflect"
	"slices"
	"strings"
	"time"
)

// Setting is an effective failure setting, by the field of spec that sets it.
type Setting struct {
	Field Path
	At    Path // within Settings
	Value any  // a duration is a text, as in the field
}

// renamed are the settings whose fields have other names, below spec or one of its halves.
var renamed = map[string]Path{
	"strategy": {"strategy", "name"}, "retryInterval": {"strategy", "retryInterval"}, "remediation": {"remediation", "strategy"},
	"retries": {"remediation", "retries"}, "remediateLastFailure": {"remediation", "remediateLastFailure"}, "ignoreTestFailures": {"remediation", "ignoreTestFailures"},
	"waitStrategy": {"waitStrategy", "name"}, "driftDetection": {"driftDetection", "mode"},
	"chartNameChangeStrategy": {"upgrade", "chartNameChangeStrategy"},
}

// ByField lists the settings by their fields, in the order of [Settings]. A setting that has
// no field, as the way in which an install is remediated, is left out.
func (s *Settings) ByField() []Setting {
	all := settingsIn(nil, reflect.ValueOf(*s))
	known := APIFields()
	return slices.DeleteFunc(all, func(x Setting) bool {
		inactive := x.Field.String() == "spec.install.strategy.retryInterval" && s.Install.Strategy != RetryOnFailure ||
			x.Field.String() == "spec.upgrade.strategy.retryInterval" && s.Upgrade.Strategy != RetryOnFailure
		return inactive || !slices.ContainsFunc(known, func(p Path) bool { return slices.Equal(p, x.Field) })
	})
}

func settingsIn(at Path, v reflect.Value) []Setting {
	var out []Setting
	for i := range v.NumField() {
		name, value := v.Type().Field(i).Tag.Get("json"), v.Field(i)
		inner := slices.Concat(at, Path{name})
		if value.Kind() == reflect.Struct && value.Type() != reflect.TypeFor[Duration]() {
			out = append(out, settingsIn(inner, value)...)
			continue
		}
		s := Setting{Field: fieldFor(at, name), At: inner, Value: value.Interface()}
		switch d, ok := s.Value.(Duration); {
		case ok:
			s.Value = shortDuration(d.Duration)
		case value.Kind() == reflect.String:
			s.Value = value.String()
		}
		out = append(out, s)
	}
	return out
}

// fieldFor returns the field of a setting, given by its section and name.
func fieldFor(section Path, name string) Path {
	if len(section) == 1 && section[0] == "target" {
		return Path{"spec", targetFields[name]}
	}
	if other, ok := renamed[name]; ok {
		return slices.Concat(Path{"spec"}, section, other)
	}
	return slices.Concat(Path{"spec"}, section, Path{name})
}

var targetFields = map[string]string{"name": "releaseName", "namespace": "targetNamespace", "storageNamespace": "storageNamespace"}

// shortDuration writes a duration as people do: 10m and not 10m0s.
func shortDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
