package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/revive"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit/bundling"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
	"github.com/flux-remedy/remedy/internal/ruletest"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestSchemas: the published schemas of the linter's JSON are those of the code.
// "make generate" writes them by this test, since nothing outside of cmd/lint can
// import the types, and since a program of its own would be installed with ours.
func TestSchemas(t *testing.T) {
	t.Chdir("../..") // comments are found by paths from the root of the module
	for name, document := range map[string]struct {
		title string
		of    []any // the document is one of these
	}{
		"report":      {"Report of flux-remedy lint -o json", []any{&report.Report{}}},
		"diff":        {"Report of flux-remedy diff -o json", []any{&report.Diff{}}},
		"bundle":      {"Output of flux-remedy bundle inspect -o json", []any{&bundling.Description{}}},
		"incident":    {"Output of flux-remedy why -o json", []any{&incident.Report{}}},
		"revive":      {"Output of flux-remedy revive -o json", []any{&revive.Report{}}},
		"audit":       {"Output of flux-remedy audit -o json", []any{&overview.Report{}}},
		"ruletest":    {"Report of flux-remedy rules test -o json", []any{&ruletest.Report{}}},
		"explanation": {"Output of flux-remedy rules explain -o json", []any{&rulekit.Explanation{}}},
		"forecast":    {"Output of flux-remedy forecast -o json", []any{&timeline.Report{}, &timeline.Comparisons{}}},
	} {
		file := filepath.Join("docs", name+".schema.json")
		schema := schemaOf(t, document.of)
		schema.ID = jsonschema.ID("https://flux-remedy.io/schemas/" + name + ".schema.json")
		schema.Title = document.title
		want, err := json.MarshalIndent(schema, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, '\n')
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(file); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is stale, %v: run make generate", file, err)
		}
	}
}

// schemaOf describes documents. It allows more fields than it knows, so that a
// document of a later version is valid.
func schemaOf(t *testing.T, documents []any) *jsonschema.Schema {
	t.Helper()
	r := &jsonschema.Reflector{Mapper: mapType, Namer: schemaName, AllowAdditionalProperties: true}
	for _, dir := range []string{"./cmd/lint/internal/report", "./cmd/lint/internal/timeline", "./cmd/lint/internal/cluster/incident", "./cmd/lint/internal/cluster/standstill", "./cmd/lint/internal/cluster/overview", "./cmd/lint/internal/cluster/revive", "./cmd/lint/internal/rulekit/bundling", "./cmd/lint/internal/rulekit", "./internal/ruletest", "./pkg/release", "./pkg/rules", "./pkg/forecast"} {
		if err := r.AddGoComments("github.com/flux-remedy/remedy", dir); err != nil {
			t.Fatal(err)
		}
	}
	whole := r.Reflect(documents[0])
	if len(documents) == 1 {
		return whole
	}
	whole.OneOf, whole.Ref = []*jsonschema.Schema{{Ref: whole.Ref}}, ""
	for _, document := range documents[1:] {
		other := r.Reflect(document)
		whole.OneOf = append(whole.OneOf, &jsonschema.Schema{Ref: other.Ref})
		for name, definition := range other.Definitions {
			whole.Definitions[name] = definition
		}
	}
	return whole
}

// schemaName keeps apart the two types of one name.
func schemaName(t reflect.Type) string {
	if t == reflect.TypeFor[rules.Waiver]() {
		return "Acceptance"
	}
	return t.Name()
}

// mapType returns the schema of types with a JSON form of their own, and of types with
// a closed set of values.
func mapType(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[release.Duration]():
		return &jsonschema.Schema{Type: "number", Description: "seconds"}
	case reflect.TypeFor[release.Path]():
		return &jsonschema.Schema{Type: "string"}
	case reflect.TypeFor[rules.Date]():
		return &jsonschema.Schema{Type: "string", Format: "date"}
	case reflect.TypeFor[revive.Result]():
		return enum(revive.Revived, revive.Failed, revive.Unfinished, revive.LeftAlone, revive.Untried, revive.Unknown)
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
	case reflect.TypeFor[forecast.Action]():
		return enum("", forecast.Install, forecast.Upgrade, forecast.Rollback, forecast.Uninstall, forecast.Test, forecast.Unlock, forecast.Correct)
	case reflect.TypeFor[forecast.Result]():
		return enum(forecast.OK, forecast.Fail, forecast.Killed)
	case reflect.TypeFor[forecast.Version]():
		return enum(forecast.Old, forecast.New, forecast.Fixed, forecast.BadFix)
	case reflect.TypeFor[forecast.End]():
		return enum(forecast.Ready, forecast.Stalled, forecast.Retrying, forecast.Error, forecast.Waiting, forecast.Idle, forecast.Deleted)
	case reflect.TypeFor[forecast.Running]():
		return enum(forecast.Nothing, forecast.OldVersion, forecast.FailedOld, forecast.NewVersion,
			forecast.FailedNew, forecast.FixedVersion, forecast.FailedFixed,
			forecast.BadFixRuns, forecast.FailedBadFix, forecast.ChangedOld, forecast.ChangedNew, forecast.ChangedFixed)
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
