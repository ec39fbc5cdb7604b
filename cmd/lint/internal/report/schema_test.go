package report

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestSchema compares the published schemas with those of the types. With
// -update it writes them; make generate does that.
func TestSchema(t *testing.T) {
	for name, document := range map[string]any{"report": &Report{}, "diff": &Diff{}} {
		t.Run(name, func(t *testing.T) {
			want := schemaOf(t, name, document)
			file := "../../../../docs/" + name + ".schema.json"
			if *update {
				if err := os.WriteFile(file, want, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			have, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(have, want) {
				t.Errorf("docs/%s.schema.json is stale: run make generate", name)
			}
		})
	}
}

// schemaOf describes a document. It allows fields that it does not know, so
// that a document of a later version is valid.
func schemaOf(t *testing.T, name string, document any) []byte {
	t.Helper()
	r := &jsonschema.Reflector{Mapper: mapType, Namer: typeName, AllowAdditionalProperties: true}
	t.Chdir("../../../..") // comments are found by paths from the root of the module
	for _, dir := range []string{"./cmd/lint/internal/report", "./pkg/rules", "./pkg/forecast"} {
		if err := r.AddGoComments("github.com/flux-remedy/remedy", dir); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir("cmd/lint/internal/report")
	schema := r.Reflect(document)
	schema.ID = jsonschema.ID("https://flux-remedy.io/schemas/" + name + ".schema.json")
	schema.Title = map[string]string{
		"report": "Report of flux-remedy lint -o json",
		"diff":   "Report of flux-remedy diff -o json",
	}[name]
	raw, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(raw, '\n')
}

// typeName tells apart the two types of one name.
func typeName(t reflect.Type) string {
	if t == reflect.TypeFor[rules.Waiver]() {
		return "Acceptance"
	}
	return t.Name()
}

// mapType returns the schema of types that JSON writes otherwise than Go's
// reflection says, and of closed sets.
func mapType(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[release.Duration]():
		return &jsonschema.Schema{Type: "number", Description: "seconds"}
	case reflect.TypeFor[release.Path]():
		return &jsonschema.Schema{Type: "string"}
	case reflect.TypeFor[rules.Date]():
		return &jsonschema.Schema{Type: "string", Format: "date"}
	case reflect.TypeFor[release.Tier]():
		return enum(release.Production, release.Staging, release.Development)
	case reflect.TypeFor[rules.Severity]():
		return enum(rules.Error, rules.Warning, rules.Info)
	case reflect.TypeFor[WaiverState]():
		return enum(WaiverUsed, WaiverExpiring, WaiverUnused, WaiverExpired, WaiverUnknown)
	case reflect.TypeFor[Trend]():
		return enum(Worse, Other, Better)
	case reflect.TypeFor[rules.Class]():
		return enum(rules.ClassRetry, rules.ClassBounded, rules.ClassViolating, rules.ClassUnknown)
	case reflect.TypeFor[forecast.End]():
		return enum(forecast.Ready, forecast.Stalled, forecast.Retrying, forecast.Error, forecast.Idle)
	case reflect.TypeFor[forecast.Result]():
		return enum(forecast.OK, forecast.Fail, forecast.Killed)
	}
	return nil
}

func enum[T ~string](values ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}
