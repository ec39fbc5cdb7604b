package main

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	"github.com/fluxcd/helm-controller/api/v2beta1" //lint:ignore SA1019 compared with v2
	"github.com/fluxcd/helm-controller/api/v2beta2"
)

// TestFieldsFresh holds the policies' table to the API that this module requires,
// without "make lint".
func TestFieldsFresh(t *testing.T) {
	want, err := apiTable()
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

// TestSince compares the versions in release.Changes with the beta APIs: none of them
// has what is newer than v2, and they have everything else.
func TestSince(t *testing.T) {
	fields, err := apiFields(reflect.TypeFor[helmv2.HelmReleaseSpec]())
	if err != nil {
		t.Fatal(err)
	}
	if err := (&fieldsTable{}).addSince(fields); err != nil {
		t.Fatal(err)
	}
	for _, version := range []struct {
		name  string
		spec  reflect.Type
		lacks []string
	}{
		{"v2beta2", reflect.TypeFor[v2beta2.HelmReleaseSpec](), nil},
		{"v2beta1", reflect.TypeFor[v2beta1.HelmReleaseSpec](), []string{"test.filters", "chart.spec.ignoreMissingValuesFiles"}},
	} {
		beta, err := apiFields(version.spec)
		if err != nil {
			t.Fatal(err)
		}
		for name := range fields {
			if strings.HasPrefix(name, "kubeConfig.") {
				continue // one Go type for all versions
			}
			lacks := slices.ContainsFunc(version.lacks, func(f string) bool { return strings.HasPrefix(name+".", f+".") })
			if _, ok := beta[name]; ok == (lacks || newerThanBeta(fields, name)) {
				t.Errorf("%s in %s: %v, release.Changes says otherwise", name, version.name, ok)
			}
		}
	}
}

// newerThanBeta reports whether a field or one above it has a version.
func newerThanBeta(fields map[string]apiField, name string) bool {
	steps := strings.Split(name, ".")
	for i := range steps {
		if fields[strings.Join(steps[:i+1], ".")].Since != "" {
			return true
		}
	}
	return false
}
