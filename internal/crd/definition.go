// Package crd reads what a CustomResourceDefinition says of the fields of an object.
package crd

import (
	"fmt"

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
