package crd

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// SchemaOf returns the schema that the CustomResourceDefinition of HelmRelease has; from
// names for people what holds it. The error says why it does not say what is accepted.
func SchemaOf(definition map[string]any, from string) (*release.Schema, error) {
	document, err := json.Marshal(definition)
	if err != nil {
		return nil, err
	}
	defined, err := Read(document)
	if err != nil {
		return nil, err
	}
	fields, expressions := map[string]map[string]release.SchemaField{}, map[string]map[string][]string{}
	for _, v := range defined.Spec.Versions {
		spec, ok := defined.Serves(v.Name)
		if !v.Served {
			continue
		}
		if !ok || v.Schema.Object.AnyField {
			return nil, fmt.Errorf("version %s has no schema", v.Name)
		}
		spec = spec.bounded()
		fields[v.Name], expressions[v.Name] = spec.Fields(), map[string][]string{}
		spec.expressions("", expressions[v.Name])
	}
	if len(defined.Spec.Versions) == 0 {
		return nil, fmt.Errorf("it has no version")
	}
	return release.NewSchema(from, fields, expressions), nil
}

// bounded returns a schema in which what may have any keys is any value, unless the values
// of the keys are texts.
func (s Schema) bounded() Schema {
	if s.Additional != nil && s.Additional.Type != "string" || s.TextOrNumber {
		return Schema{AnyField: true, Default: s.Default, Expressions: s.Expressions}
	}
	for key, below := range s.Properties {
		s.Properties[key] = below.bounded()
	}
	if s.Items != nil {
		items := s.Items.bounded()
		s.Items = &items
	}
	return s
}

// expressions adds the checks in CEL at and below a name.
func (s Schema) expressions(name string, out map[string][]string) {
	for _, e := range s.Expressions {
		out[name] = append(out[name], e.Rule)
	}
	slices.Sort(out[name])
	for key, below := range s.Properties {
		below.expressions(joined(name, key), out)
	}
	if s.Items != nil {
		s.Items.expressions(joined(name, "*"), out)
	}
}

func joined(name, step string) string {
	if name == "" {
		return step
	}
	return name + "." + step
}
