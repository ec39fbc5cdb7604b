package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	"github.com/open-policy-agent/opa/v1/format"
	"golang.org/x/mod/semver"

	"github.com/flux-remedy/remedy/pkg/release"
)

const fieldsFile = "policies/lib/fields.rego"

//go:embed fields.rego.tmpl
var fieldsText string

// fieldsTable is what the template of fields.rego shows.
type fieldsTable struct {
	Duration, Newest string
	Limited, Plain   []namedField
	// Removed are the versions of the API that are no longer served, with the first
	// helm-controller that does not.
	Removed []release.Change
}

type namedField struct {
	Name string
	apiField
}

// apiTable writes what policies know of the API, from helm-controller's Go types
// and the markers in their source.
func apiTable() ([]byte, error) {
	fields, err := apiFields(reflect.TypeFor[helmv2.HelmReleaseSpec]())
	if err != nil {
		return nil, err
	}
	table := fieldsTable{Newest: "0.0.0"}
	for _, change := range release.Changes {
		if change.Kind == release.APIRemoved {
			table.Removed = append(table.Removed, change)
		}
	}
	if err := table.addSince(fields); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if err := table.add(name, fields[name]); err != nil {
			return nil, err
		}
	}
	text, err := render(fieldsText, table)
	if err != nil {
		return nil, err
	}
	return format.Source(fieldsFile, text)
}

// addSince adds the versions that first had a field.
func (t *fieldsTable) addSince(fields map[string]apiField) error {
	for _, change := range release.Changes {
		if change.Kind != release.FieldAdded {
			continue
		}
		field, ok := fields[change.Name]
		if !ok {
			return fmt.Errorf("release.Changes: the API has no field %s", change.Name)
		}
		field.Since = change.Since
		fields[change.Name] = field
		if semver.Compare("v"+change.Since, "v"+t.Newest) > 0 {
			t.Newest = change.Since
		}
	}
	return nil
}

// add puts a field where it belongs: Go knows types, and durations, but takes null
// for an empty item of a list, which the API refuses.
func (t *fieldsTable) add(name string, field apiField) error {
	if field.Type == "duration" {
		if t.Duration == "" {
			t.Duration = field.Pattern
		}
		if field.Pattern != t.Duration {
			return fmt.Errorf("%s: the pattern of durations is %s elsewhere, here %s", name, t.Duration, field.Pattern)
		}
		field.Pattern = ""
	}
	plain := reflect.DeepEqual(field, apiField{Type: field.Type}) && field.Type != "duration" && !strings.HasSuffix(name, "*")
	if plain {
		t.Plain = append(t.Plain, namedField{name, field})
	} else {
		t.Limited = append(t.Limited, namedField{name, field})
	}
	return nil
}

// Free reports whether the field takes any text of 1 to 53 characters, as
// [rules.Input.Texts] lists them.
func (f apiField) Free() bool {
	return f.Type == "string" && f.Enum == nil && f.Pattern == "" && f.Min <= 1 && (f.Max == 0 || f.Max >= 53)
}

// Rego writes what the schema says of the field as an object.
func (f apiField) Rego() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{%q: %q", "type", f.Type)
	for _, list := range []struct {
		name  string
		words []string
	}{{"required", f.Required}, {"enum", f.Enum}} {
		if len(list.words) > 0 {
			fmt.Fprintf(&b, ", %q: [\"%s\"]", list.name, strings.Join(list.words, `", "`))
		}
	}
	for _, limit := range []struct {
		name string
		n    int
	}{{"min", f.Min}, {"max", f.Max}} {
		if limit.n > 0 {
			fmt.Fprintf(&b, ", %q: %d", limit.name, limit.n)
		}
	}
	if f.Pattern != "" {
		fmt.Fprintf(&b, ", %q: `%s`", "pattern", f.Pattern)
	}
	if f.Since != "" {
		fmt.Fprintf(&b, ", %q: %q", "since", f.Since)
	}
	return b.String() + "}"
}
