package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"path"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/flux-remedy/remedy/pkg/rules"
)

//go:embed configuration.md.tmpl
var configurationText string

// section is one object of the configuration.
type section struct {
	Path   string // spec.tiers[]
	Fields []field
}

// field is one of its fields. Name and About together are a sentence.
type field struct{ Name, Type, About string }

// configurationPages writes the page of the configuration, and its reference from its schema.
func configurationPages(files map[string][]byte) error {
	schema, err := reflectConfig()
	if err != nil {
		return err
	}
	text, err := render(configurationText, sections(schema.Definitions, "", "Config"))
	page, fields, _ := bytes.Cut(text, []byte(nextPage))
	files["docs/configuration.md"], files["docs/configuration-fields.md"] = page, fields
	return err
}

// nextPage begins the second page of the template.
const nextPage = "<!-- next page -->\n"

func reflectConfig() (*jsonschema.Schema, error) {
	r := &jsonschema.Reflector{Mapper: mapType}
	for _, dir := range []string{"./pkg/release", "./pkg/rules"} {
		if err := r.AddGoComments("github.com/flux-remedy/remedy", dir); err != nil {
			return nil, err
		}
	}
	return r.Reflect(&rules.Config{}), nil
}

// sections returns an object and, after it, the objects in its fields.
func sections(all jsonschema.Definitions, at, name string) []section {
	own := section{Path: at}
	var below []section
	for pair := all[name].Properties.Oldest(); pair != nil; pair = pair.Next() {
		own.Fields = append(own.Fields, field{pair.Key, typeName(all, pair.Value), about(pair.Key, pair.Value.Description)})
		inner, of := pair.Key, refers(pair.Value)
		switch {
		case pair.Value.Items != nil:
			inner, of = pair.Key+"[]", refers(pair.Value.Items)
		case pair.Value.AdditionalProperties != nil:
			inner, of = pair.Key+".*", refers(pair.Value.AdditionalProperties)
		}
		if all[of] != nil && all[of].Properties.Len() > 0 {
			below = append(below, sections(all, strings.TrimPrefix(at+"."+inner, "."), of)...)
		}
	}
	return append([]section{own}, below...)
}

func refers(schema *jsonschema.Schema) string { return path.Base(schema.Ref) }

// typeName returns the type of a field in words.
func typeName(all jsonschema.Definitions, schema *jsonschema.Schema) string {
	if of := all[refers(schema)]; of != nil {
		return typeName(all, of)
	}
	switch {
	case len(schema.Enum) > 0:
		words := make([]string, len(schema.Enum))
		for i, v := range schema.Enum {
			words[i] = fmt.Sprint(v)
		}
		return strings.Join(words, " | ")
	case schema.Type == "array":
		return "list of " + typeName(all, schema.Items) + "s"
	case schema.AdditionalProperties != nil && schema.AdditionalProperties != jsonschema.FalseSchema:
		return "map of " + typeName(all, schema.AdditionalProperties) + "s"
	}
	return cmp.Or(schema.Format, schema.Type)
}

// about returns a field's Go comment without the name, with which it starts.
func about(name, description string) string {
	text := strings.Join(strings.Fields(description), " ")
	if first, rest, _ := strings.Cut(text, " "); strings.EqualFold(first, name) {
		return rest
	}
	return text
}
