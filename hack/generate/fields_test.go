package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"

	"golang.org/x/mod/semver"

	"github.com/flux-remedy/remedy/pkg/release"
)

var root = os.DirFS("../..")

// TestFieldsFresh holds the policies' table to the newest definition, without "make lint".
func TestFieldsFresh(t *testing.T) {
	want, err := apiTable(root)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile("../../" + fieldsFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Errorf("%s is stale: run make generate", fieldsFile)
	}
}

// TestSince compares the versions in release.Changes with the definitions of older
// controllers: none of them has what is newer, and they have everything else.
func TestSince(t *testing.T) {
	fields, err := definedFields(root, definition, "v2")
	if err != nil {
		t.Fatal(err)
	}
	if err := (&fieldsTable{}).addSince(fields); err != nil {
		t.Fatal(err)
	}
	older, err := filepath.Glob("../../testdata/crds/helmreleases-*.yaml")
	if err != nil || len(older) < 5 {
		t.Fatalf("%d definitions, %v", len(older), err)
	}
	for _, file := range older {
		version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "helmreleases-"), ".yaml")
		defined, err := definedFields(root, "testdata/crds/"+filepath.Base(file), "v2")
		if err != nil {
			t.Fatal(err)
		}
		for name := range fields {
			_, ok := defined[name]
			if came := sinceOf(fields, name); ok != (semver.Compare("v"+version, "v"+came) >= 0) {
				t.Errorf("%s in %s: %v, release.Changes says since %s", name, version, ok, came)
			}
		}
		for name := range defined {
			if _, ok := fields[name]; !ok {
				t.Errorf("%s was in %s and is no longer there: release.Changes cannot say that", name, version)
			}
		}
	}
}

// TestSinceInBetas: what has a version is in no beta, and they have everything else.
func TestSinceInBetas(t *testing.T) {
	fields, err := definedFields(root, definition, "v2")
	if err != nil {
		t.Fatal(err)
	}
	if err := (&fieldsTable{}).addSince(fields); err != nil {
		t.Fatal(err)
	}
	for _, version := range []struct {
		name  string
		lacks []string
	}{
		{"v2beta2", nil},
		{"v2beta1", []string{"test.filters", "chart.spec.ignoreMissingValuesFiles"}},
	} {
		beta, err := definedFields(root, "testdata/crds/helmreleases-1.3.0.yaml", version.name)
		if err != nil {
			t.Fatal(err)
		}
		for name := range fields {
			lacks := slices.ContainsFunc(version.lacks, func(f string) bool { return strings.HasPrefix(name+".", f+".") })
			if _, ok := beta[name]; ok == (lacks || sinceOf(fields, name) != "") {
				t.Errorf("%s in %s: %v, release.Changes says otherwise", name, version.name, ok)
			}
		}
	}
}

// sinceOf returns the version that first had a field, or one above it; empty if that is 1.0.
func sinceOf(fields map[string]apiField, name string) string {
	steps := strings.Split(name, ".")
	for i := range steps {
		if since := fields[strings.Join(steps[:i+1], ".")].Since; since != "" {
			return since
		}
	}
	return ""
}

// TestRemovedIsNotServed holds the removed versions of the API to the definitions.
func TestRemovedIsNotServed(t *testing.T) {
	files, err := filepath.Glob("../../testdata/crds/helmreleases-*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "helmreleases-"), ".yaml")
		for _, name := range []string{"v2beta1", "v2beta2"} {
			_, err := definedSpec(root, "testdata/crds/"+filepath.Base(file), name)
			removed := semver.Compare("v"+version, "v"+release.Since(release.APIRemoved, name)) >= 0
			if removed != (err != nil) {
				t.Errorf("%s in %s: %v, release.Changes says since %s", name, version, err, release.Since(release.APIRemoved, name))
			}
		}
	}
}

// TestGoHasSettings: what the programs resolve with the Go types that are linked is all that the
// newest definition has, but for charts, of which no setting depends on more than their names.
func TestGoHasSettings(t *testing.T) {
	fields, err := definedFields(root, definition, "v2")
	if err != nil {
		t.Fatal(err)
	}
	for name := range fields {
		if !inGo(name) && !strings.HasPrefix(name, "chart.") {
			t.Errorf("the Go types that are linked have no %s", name)
		}
	}
}

// inGo reports whether the Go types that are linked have a field.
func inGo(name string) bool {
	typ := reflect.TypeFor[helmv2.HelmReleaseSpec]()
	if name == "" {
		return true
	}
	for step := range strings.SplitSeq(name, ".") {
		for typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if step == "*" {
			typ = typ.Elem()
			continue
		}
		fields := reflect.VisibleFields(typ)
		i := slices.IndexFunc(fields, func(f reflect.StructField) bool {
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			return key == step
		})
		if i < 0 {
			return false
		}
		typ = fields[i].Type
	}
	return true
}
