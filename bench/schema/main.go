// Command schema writes the JSON schema of HelmRelease that kubeconform checks
// against, from the CustomResourceDefinition:
//
//	schema CRD FILE
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: schema CRD FILE")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "schema:", err)
		os.Exit(1)
	}
}

func write(crd, file string) error {
	text, err := os.ReadFile(crd)
	if err != nil {
		return err
	}
	schema, err := schemaOf(text, "v2")
	if err != nil {
		return fmt.Errorf("%s: %w", crd, err)
	}
	return os.WriteFile(file, schema, 0o644)
}

// schemaOf returns the schema of a version, in which unknown fields are an error.
func schemaOf(crd []byte, version string) ([]byte, error) {
	var in struct {
		Spec struct {
			Versions []struct {
				Name   string
				Schema struct{ OpenAPIV3Schema map[string]any }
			}
		}
	}
	if err := yaml.Unmarshal(crd, &in); err != nil {
		return nil, err
	}
	for _, v := range in.Spec.Versions {
		if v.Name == version {
			closeObjects(v.Schema.OpenAPIV3Schema)
			v.Schema.OpenAPIV3Schema["properties"].(map[string]any)["metadata"] = map[string]any{"type": "object"}
			return json.MarshalIndent(v.Schema.OpenAPIV3Schema, "", " ")
		}
	}
	return nil, fmt.Errorf("there is no version %s", version)
}

// closeObjects forbids the fields that a schema does not name, as the API server drops them.
func closeObjects(schema map[string]any) {
	properties, ok := schema["properties"].(map[string]any)
	if ok && schema["x-kubernetes-preserve-unknown-fields"] != true {
		schema["additionalProperties"] = false
	}
	for _, inner := range properties {
		closeIn(inner)
	}
	closeIn(schema["items"])
	closeIn(schema["additionalProperties"])
}

func closeIn(schema any) {
	if schema, ok := schema.(map[string]any); ok {
		closeObjects(schema)
	}
}
