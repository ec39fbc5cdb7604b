// Command schemagen writes the JSON Schema of a JSON document, report or diff,
// to standard output. It runs in the root of the repository, for the comments in the code.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"

	"github.com/invopop/jsonschema"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func main() {
	schema, err := schema(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(1)
	}
	os.Stdout.Write(schema)
}

// documents by name: the value, and what it is.
var documents = map[string]struct {
	value any
	title string
}{
	"report": {&report.Report{}, "Report of flux-remedy lint -o json"},
	"diff":   {&report.Diff{}, "Report of flux-remedy diff -o json"},
}

// schema describes a document. It lets more fields be there than it knows, so
// that one of a later version is valid.
func schema(args []string) ([]byte, error) {
	if len(args) != 1 || documents[args[0]].value == nil {
		return nil, errors.New("want report or diff")
	}
	document := documents[args[0]]
	r := &jsonschema.Reflector{Mapper: mapType, Namer: name, AllowAdditionalProperties: true}
	for _, dir := range []string{"./cmd/lint/internal/report", "./pkg/release", "./pkg/rules", "./pkg/forecast"} {
		if err := r.AddGoComments("github.com/flux-remedy/remedy", dir); err != nil {
			return nil, err
		}
	}
	schema := r.Reflect(document.value)
	schema.ID = jsonschema.ID("https://flux-remedy.io/schemas/" + args[0] + ".schema.json")
	schema.Title = document.title
	raw, err := json.MarshalIndent(schema, "", "  ")
	return append(raw, '\n'), err
}

// name tells apart the two types of one name.
func name(t reflect.Type) string {
	if t == reflect.TypeFor[rules.Waiver]() {
		return "Acceptance"
	}
	return t.Name()
}

// mapType gives the schema of types that JSON writes otherwise than Go's
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
	case reflect.TypeFor[report.WaiverState]():
		return enum(report.WaiverUsed, report.WaiverExpiring, report.WaiverUnused, report.WaiverExpired, report.WaiverUnknown)
	case reflect.TypeFor[report.Trend]():
		return enum(report.Worse, report.Other, report.Better)
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
