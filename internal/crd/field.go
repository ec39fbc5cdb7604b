package crd

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Fields returns all fields of a value by their names: keys joined by dots, * for the items of
// a list. That of the value itself is empty. A key that must be there and has a default is filled in before
// it is missed, so it is not required.
func (s Schema) Fields() map[string]release.SchemaField {
	out := map[string]release.SchemaField{}
	s.add("", out)
	return out
}

func (s Schema) add(name string, out map[string]release.SchemaField) {
	field := release.SchemaField{Type: s.kind(), Enum: s.Enum, Min: s.MinLength, Max: s.MaxLength, Pattern: s.Pattern.text}
	for key, below := range s.Properties {
		below.add(strings.TrimPrefix(name+"."+key, "."), out)
	}
	if s.Items != nil {
		s.Items.add(name+".*", out)
	}
	for _, key := range s.Required {
		if s.Properties[key].Default == nil {
			field.Required = append(field.Required, key)
		}
	}
	slices.Sort(field.Required)
	out[name] = field
}

// anyDuration is how the pattern of each duration in Flux's API begins.
const anyDuration = `^([0-9]+(\.[0-9]+)?(ms|s|m`

func (s Schema) kind() string {
	switch {
	case s.AnyField || s.Type == "":
		return "any"
	case strings.HasPrefix(s.Pattern.text, anyDuration):
		return "duration"
	case s.Additional != nil && s.Additional.Type == "string":
		return "strings"
	}
	return s.Type
}
