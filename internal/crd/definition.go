// Package crd reads what a CustomResourceDefinition says of the fields of an object.
package crd

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"sigs.k8s.io/yaml"
)

// Definition is a CustomResourceDefinition, as far as it says what an object may hold.
type Definition struct {
	Spec struct {
		Group string `json:"group"`
		Names struct {
			Kind string `json:"kind"`
		} `json:"names"`
		Versions []Version `json:"versions"`
	} `json:"spec"`
}

// Version is one version of the API that is defined.
type Version struct {
	Name   string `json:"name"`
	Served bool   `json:"served"`
	Schema struct {
		Object Schema `json:"openAPIV3Schema"`
	} `json:"schema"`
}

// Schema is what the API server checks of a value: the keywords of OpenAPI that definitions
// of Flux have.
type Schema struct {
	Type         string            `json:"type,omitempty"`
	Format       string            `json:"format,omitempty"`
	Properties   map[string]Schema `json:"properties,omitempty"`
	Additional   *Schema           `json:"additionalProperties,omitempty"`
	Items        *Schema           `json:"items,omitempty"`
	Required     []string          `json:"required,omitempty"`
	Enum         []string          `json:"enum,omitempty"`
	Pattern      Pattern           `json:"pattern,omitzero"`
	MinLength    int               `json:"minLength,omitempty"`
	MaxLength    int               `json:"maxLength,omitempty"`
	Minimum      *float64          `json:"minimum,omitempty"`
	Maximum      *float64          `json:"maximum,omitempty"`
	MinItems     int               `json:"minItems,omitempty"`
	MaxItems     int               `json:"maxItems,omitempty"`
	Default      any               `json:"default,omitempty"`
	AnyField     bool              `json:"x-kubernetes-preserve-unknown-fields,omitempty"`
	Expressions  []Expression      `json:"x-kubernetes-validations,omitempty"`
	TextOrNumber bool              `json:"x-kubernetes-int-or-string,omitempty"`
}

// Expression is a check in CEL of a value.
type Expression struct {
	Rule    string `json:"rule"`
	Message string `json:"message,omitempty"`
}

// Read returns the definition in a YAML document.
func Read(document []byte) (Definition, error) {
	var out Definition
	if err := yaml.Unmarshal(document, &out); err != nil {
		return Definition{}, fmt.Errorf("read a CustomResourceDefinition: %w", err)
	}
	return out, nil
}

// Serves returns the schema of .spec in a version that the definition serves.
func (d Definition) Serves(version string) (spec Schema, ok bool) {
	for _, v := range d.Spec.Versions {
		if v.Name == version && v.Served {
			spec, ok = v.Schema.Object.Properties["spec"]
			return spec, ok
		}
	}
	return Schema{}, false
}

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
