package main

import (
	"encoding/json"
	"reflect"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	"github.com/invopop/jsonschema"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// object is the part of a HelmRelease that policies see. Its spec is typed by
// the API itself, so that a misspelt field in a policy does not compile.
type object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name        string            `json:"name"`
		Namespace   string            `json:"namespace"`
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec   helmv2.HelmReleaseSpec `json:"spec"`
	Status any                    `json:"status"`
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
	fields, err := apiTable()
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		fieldsFile:                     fields,
		"docs/config.schema.json":      config,
		"pkg/rules/config.schema.json": config, // for its messages
		"policies/input.schema.json":   input,
	}, nil
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
	schema.Title = "What a policy sees as input; parameters are added from the rules' METADATA"
	for _, name := range []string{"object", "old"} {
		of := r.Reflect(&object{})
		of.Version = ""
		schema.Properties.Set(name, of)
	}
	return marshal(schema)
}

// mapType returns the schema of types whose JSON differs from what Go's reflection
// shows.
func mapType(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[release.Duration]():
		return &jsonschema.Schema{Type: "number"}
	case reflect.TypeFor[metav1.Duration]():
		return &jsonschema.Schema{Type: "string"}
	case reflect.TypeFor[apiextensionsv1.JSON]():
		return &jsonschema.Schema{}
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
