package main

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/flux-remedy/remedy/internal/crd"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// object is the part of a HelmRelease that policies see. Its spec is as the API
// defines it, so that a misspelt field in a policy does not compile.
type object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name        string            `json:"name"`
		Namespace   string            `json:"namespace"`
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec   any `json:"spec"`
	Status any `json:"status"`
}

// schemas returns the JSON schemas by file, and the table of the API that policies
// ask. Schemas of what the linter writes are made by a test of cmd/lint, whose
// types nothing else can import.
func schemas() (map[string][]byte, error) {
	config, err := configSchema()
	if err != nil {
		return nil, err
	}
	input, err := inputSchema()
	if err != nil {
		return nil, err
	}
	fields, err := apiTable(os.DirFS("."))
	if err != nil {
		return nil, err
	}
	types, err := fieldTypes(os.DirFS("."))
	if err != nil {
		return nil, err
	}
	known, err := knownDefinitions(os.DirFS("testdata/crds/others"))
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"internal/crd/known.json":      known,
		fieldsFile:                     fields,
		"pkg/release/fields.txt":       types,
		"docs/config.schema.json":      config,
		"pkg/rules/config.schema.json": config, // for its messages
		"policies/input.schema.json":   input,
	}, nil
}

// knownDefinitions returns what the definitions of Flux's other kinds say of them, by apiVersion and kind.
func knownDefinitions(files fs.FS) ([]byte, error) {
	out := map[string]crd.Schema{}
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		document, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		definition, err := crd.Read(document)
		if err != nil {
			return nil, err
		}
		maps.Copy(out, definition.Known())
	}
	for name, schema := range out {
		if strings.HasSuffix(name, "/Alert") {
			withOperator(schema.Properties["spec"].Properties["eventSources"].Items.Properties)
		}
	}
	return marshal(out)
}

// withOperator adds the kinds that flux-operator lets Alerts name where it installs Flux.
// Source: notificationPatchTmpl of flux-operator.
func withOperator(eventSource map[string]crd.Schema) {
	kind := eventSource["kind"]
	kind.Enum = append(kind.Enum, "FluxInstance", "ResourceSet", "ResourceSetInputProvider")
	eventSource["kind"] = kind
}

func configSchema() ([]byte, error) {
	schema, err := reflectConfig()
	if err != nil {
		return nil, err
	}
	schema.ID = "https://flux-remedy.io/schemas/config.schema.json"
	schema.Title = "Configuration of Flux Remedy (" + rules.ConfigFile + ")"
	return marshal(schema)
}

func inputSchema() ([]byte, error) {
	r := &jsonschema.Reflector{
		Anonymous: true, DoNotReference: true, RequiredFromJSONSchemaTags: true, Mapper: mapType,
	}
	schema := r.Reflect(&rules.Input{})
	spec, err := definedSpec(os.DirFS("."), definition, "v2")
	if err != nil {
		return nil, err
	}
	schema.Title = "What a policy sees as input; parameters are added from the rules' METADATA"
	for _, name := range []string{"object", "old"} {
		of := r.Reflect(&object{})
		of.Version = ""
		of.Properties.Set("spec", typesOf(spec))
		schema.Properties.Set(name, of)
	}
	return marshal(schema)
}

// typesOf returns the types of what the API defines, which is what OPA compiles against.
func typesOf(defined crd.Schema) *jsonschema.Schema {
	if defined.AnyField {
		return &jsonschema.Schema{}
	}
	out := &jsonschema.Schema{Type: defined.Type}
	if len(defined.Properties) > 0 {
		out.Properties, out.AdditionalProperties = jsonschema.NewProperties(), jsonschema.FalseSchema
		for _, name := range slices.Sorted(maps.Keys(defined.Properties)) {
			out.Properties.Set(name, typesOf(defined.Properties[name]))
		}
	}
	if defined.Items != nil {
		out.Items = typesOf(*defined.Items)
	}
	if defined.Additional != nil {
		out.AdditionalProperties = typesOf(*defined.Additional)
	}
	return out
}

// mapType returns the schema of types whose JSON differs from what Go's reflection
// shows.
func mapType(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[release.Duration]():
		return &jsonschema.Schema{Type: "number"}
	case reflect.TypeFor[release.Tier]():
		return &jsonschema.Schema{Type: "string", Enum: []any{release.Production, release.Staging, release.Development}}
	case reflect.TypeFor[rules.Severity]():
		return &jsonschema.Schema{Type: "string", Enum: []any{rules.Error, rules.Warning, rules.Info, rules.Off}}
	case reflect.TypeFor[rules.Date]():
		return &jsonschema.Schema{Type: "string", Format: "date"}
	}
	return nil
}

func marshal(v any) ([]byte, error) {
	raw, err := json.MarshalIndent(v, "", "  ")
	return append(raw, '\n'), err
}
