package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/format"
	"golang.org/x/mod/semver"

	"github.com/flux-remedy/remedy/internal/crd"
	"github.com/flux-remedy/remedy/pkg/release"
)

const (
	fieldsFile = "policies/lib/fields.rego"
	// definition is of the newest helm-controller whose API is known.
	definition = "testdata/crds/helmreleases-" + release.NewestAPI + ".yaml"
)

//go:embed fields.rego.tmpl
var fieldsText string

// fieldsTable is what the template of fields.rego shows.
type fieldsTable struct {
	Duration, Newest string
	Limited, Plain   []apiField
	// Removed are the versions of the API that are no longer served, with the first
	// helm-controller that does not.
	Removed []release.Change
	// Served are those that came with a helm-controller.
	Served []release.Change
}

// apiField is what is known of one field.
type apiField struct {
	Name string
	release.SchemaField
	Since string // the helm-controller that first had it, if that is newer than the API version
}

// apiTable writes what policies know of the API, from the newest definition of HelmRelease.
func apiTable(files fs.FS) ([]byte, error) {
	fields, err := definedFields(files, definition, "v2")
	if err != nil {
		return nil, err
	}
	table := fieldsTable{Newest: "0.0.0", Duration: fields["interval"].Pattern}
	for _, change := range release.Changes {
		switch change.Kind {
		case release.APIRemoved:
			table.Removed = append(table.Removed, change)
		case release.APIServed:
			table.Served = append(table.Served, change)
		}
	}
	if err := table.addSince(fields); err != nil {
		return nil, err
	}
	known := map[string]release.SchemaField{}
	for name, field := range fields {
		known[name] = field.SchemaField
	}
	version := release.NewSchema(definition, map[string]map[string]release.SchemaField{"v2": known}, nil).Versions["v2"]
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		one := fields[name]
		if one.Pattern == table.Duration {
			one.Pattern = ""
		}
		if _, plain := version.Plain[name]; plain && one.Since == "" { // Go knows nothing of fields that are newer than the types that are linked
			table.Plain = append(table.Plain, one)
		} else {
			table.Limited = append(table.Limited, one)
		}
	}
	text, err := render(fieldsText, table)
	if err != nil {
		return nil, err
	}
	return format.Source(fieldsFile, text)
}

// fieldTypes writes the names and types of the fields of the newest definition of HelmRelease.
func fieldTypes(files fs.FS) ([]byte, error) {
	fields, err := definedFields(files, definition, "v2")
	delete(fields, "")
	var out bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		fmt.Fprintln(&out, name, fields[name].Type)
	}
	return out.Bytes(), err
}

// definedFields returns the fields below spec that a file defines in a version of the API.
func definedFields(files fs.FS, file, version string) (map[string]apiField, error) {
	spec, err := definedSpec(files, file, version)
	fields := map[string]apiField{}
	for name, field := range spec.Fields() {
		fields[name] = apiField{Name: name, SchemaField: field}
	}
	return fields, err
}

func definedSpec(files fs.FS, file, version string) (crd.Schema, error) {
	data, err := fs.ReadFile(files, file)
	if err != nil {
		return crd.Schema{}, err
	}
	defined, err := crd.Read(data)
	if err != nil {
		return crd.Schema{}, err
	}
	spec, ok := defined.Serves(version)
	if !ok {
		err = fmt.Errorf("%s does not serve %s", file, version)
	}
	return spec, err
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
