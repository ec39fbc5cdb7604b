package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	refused = "go: module github.com/fluxcd/helm-controller: reading https://proxy.example/list: 403 Forbidden\n\tserver response: This module version is not available.\n"
	missing = `{"Path": "github.com/fluxcd/helm-controller", "Version": "v1.8.0", "Error": "reading https://proxy.example/v1.8.0.info: 403 Forbidden"}`
	before  = `package features

const (
	Kept = "Kept"
	Gone = "Gone"
	Turned = "Turned"
)

var features = map[string]bool{
	Kept: false,
	Gone: true,
	Turned: false,
	controller.FeatureGateShared: false,
}
`
	after = `package features

const Renamed = "NewName"

const (
	Kept   = "Kept"
	Turned = "Turned"
)

var features = map[string]bool{
	Kept: false, Turned: true, Renamed: false,
	controller.FeatureGateShared: false,
}

var retired = map[string]string{"Gone": "why"}
`
	definition = `spec:
  versions:
  - name: v1
    served: true
    schema:
      openAPIV3Schema:
        properties:
          spec:
            type: object
            required: [interval]
            properties:
              interval: {type: string}
              old: {type: object, properties: {below: {type: string}}}
              mode: {type: string, enum: [a, b], default: a}
              list: {type: array, items: {type: object, properties: {name: {type: string, maxLength: 10}}}}
  - {name: v1beta1, served: true}
  - {name: v1alpha1, served: false}
`
)

// changed is definition as a later version has it.
var changed = strings.NewReplacer(
	"old: ", "new: ", "default: a", "default: b", "[a, b]", "[a, b, c]",
	"maxLength: 10", "maxLength: 20", "type: object\n            required", "type: object\n            x-kubernetes-validations: [{rule: has(self.new)}]\n            required: [new, interval]\n            x-required",
	"v1beta1, served: true", "v1beta1, served: false", "v1alpha1, served: false", "v1alpha1, served: true",
).Replace(definition)

func TestNews(t *testing.T) {
	from := func(version string) string {
		dir := t.TempDir()
		text, gates := definition, before
		if version != "v1.9.5" {
			text, gates = changed, after
		}
		for name, content := range map[string]string{
			"config/crd/bases/kustomize.toolkit.fluxcd.io_kustomizations.yaml": text, "internal/features/features.go": gates,
		} {
			name = filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		return `{"Version": "` + version + `", "Dir": "` + dir + `"}`
	}
	run := func(args ...string) ([]byte, error) {
		switch command := strings.Join(args, " "); command {
		case "go list -m -versions -json github.com/fluxcd/helm-controller/api":
			return []byte(`{"Versions": ["v1.7.1", "v1.8.0", "v1.9.0-rc.1"]}`), nil
		case "hack/flux/crds.sh - 1.8.0":
			text, err := os.ReadFile("../../../testdata/crds/helmreleases-1.7.1.yaml")
			return bytes.ReplaceAll(text, []byte("storageNamespace:"), []byte("recordNamespace:")), err
		case "go list -m -versions -json github.com/fluxcd/helm-controller":
			return nil, errors.New(refused)
		case "go mod download -json github.com/fluxcd/helm-controller@v1.8.0", "go mod download -json github.com/fluxcd/helm-controller@v1.7.1":
			return []byte(missing), errors.New("exit status 1")
		case "go list -m -versions -json github.com/fluxcd/kustomize-controller":
			return []byte(`{"Versions": ["v1.9.4", "v1.9.5", "v1.10.0", "v1.10.1"]}`), nil
		case "go mod download -json github.com/fluxcd/kustomize-controller@v1.10.1", "go mod download -json github.com/fluxcd/kustomize-controller@v1.9.5":
			return []byte(from(command[len(command)-len("v1.9.5"):])), nil
		case "go list -m -versions -json github.com/fluxcd/source-controller":
			return []byte(`{}`), nil
		default:
			return nil, errors.New("not expected: " + command)
		}
	}
	got := table(news([]module{
		{name: helmAPI, known: "v1.7.1"},
		{name: "helm-controller", known: "v1.6.4"},
		{name: "kustomize-controller", known: "v1.9.5"},
		{name: "source-controller", known: "v1.9.0"},
	}, source{run: run, dir: "../../.."}))
	want, err := os.ReadFile("testdata/news.md")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNothingIsNewer(t *testing.T) {
	run := func(...string) ([]byte, error) { return []byte(`{"Versions": ["v1.0.0", "v1.7.1"]}`), nil }
	got := table(news([]module{{name: helmAPI, known: "v1.7.1"}}, source{run: run}))
	if got != "Nothing of Flux is newer than what is known\n" {
		t.Error(got)
	}
}

// What the real definitions differ in is told.
func TestDefinitionChanges(t *testing.T) {
	var texts [][]byte
	for _, version := range []string{"1.6.5", "1.7.1"} {
		text, err := os.ReadFile("../../../testdata/crds/helmreleases-" + version + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	got, err := definitionChanges("HelmRelease", texts[0], texts[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"HelmRelease v2: spec.chart.kind added",
		"HelmRelease v2: spec.chart.spec.url added",
		"HelmRelease v2: spec.chart.spec.version defaults to nothing, was *",
		"HelmRelease v2: spec.chart.spec demands nothing, was chart, sourceRef",
		"HelmRelease v2: spec.chart demands `!has(self.kind) || self.kind != 'OCIRepository' || !has(self.spec.chart)`",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
	if same, err := definitionChanges("HelmRelease", texts[1], texts[1]); len(same) > 0 || err != nil {
		t.Error(same, err)
	}
}

// The modules that the repository pins are found.
func TestKnown(t *testing.T) {
	all, err := known("../../..")
	if err != nil || len(all) != 4 {
		t.Fatal(all, err)
	}
}

func TestGatesOfTheSource(t *testing.T) {
	got, err := gates([]byte(after))
	if err != nil || len(got) != 4 || got["NewName"] != "false" || got["Shared"] != "false" || got["Turned"] != "true" {
		t.Error(got, err)
	}
	if _, err := gates([]byte("no Go")); err == nil {
		t.Error("what is no Go was read")
	}
}

func TestFolder(t *testing.T) {
	for _, out := range []string{missing, `{}`, ``, `[]`} {
		if dir, err := folder([]byte(out)); err == nil {
			t.Errorf("%q: %q", out, dir)
		}
	}
}
