package object_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

func parse(t testing.TB, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestIs(t *testing.T) {
	for text, want := range map[string]string{
		"{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease}":         "HelmRelease known traced",
		"{apiVersion: helm.toolkit.fluxcd.io/v2beta1, kind: HelmRelease}":    "HelmRelease known traced",
		"{apiVersion: helm.fluxcd.io/v1, kind: HelmRelease}":                 "",
		"{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization}":  "Kustomization known traced",
		"{apiVersion: kustomize.config.k8s.io/v1beta1, kind: Kustomization}": "",
		"{apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet}":         "ResourceSet known",
		"{apiVersion: v1, kind: ConfigMap}":                                  "known",
		"{apiVersion: example.com/v1, kind: ConfigMap}":                      "",
		"{apiVersion: apps/v1, kind: Deployment}":                            "known",
		"{kind: Secret}":              "known",
		"{apiVersion: v1, kind: Pod}": "",
		"{kind: [HelmRelease]}":       "",
	} {
		obj := parse(t, text)
		var got []string
		for _, is := range []struct {
			name string
			ok   bool
		}{
			{"HelmRelease", object.IsHelmRelease(obj)},
			{"Kustomization", object.IsKustomization(obj)},
			{"ResourceSet", object.IsResourceSet(obj)},
			{"known", object.Known(obj)},
			{"traced", object.IsTraced(obj)},
		} {
			if is.ok {
				got = append(got, is.name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

func TestHasChart(t *testing.T) {
	for text, want := range map[string]bool{
		"{spec: {chartRef: {name: a}}}":              true,
		"{spec: {chart: {spec: {chart: a}}}}":        true,
		"{spec: {chart: {kind: a, spec: {url: b}}}}": true,
		"{spec: {chart: {spec: {version: 1.x}}}}":    false,
		"{spec: {install: {}}}":                      false,
		"{spec: [{chartRef: {name: a}}]}":            false,
	} {
		if got := object.HasChart(parse(t, text)); got != want {
			t.Errorf("%s has a chart: %v, want %v", text, got, want)
		}
	}
}

// The looks at bytes never overlook what the parser would find.
func TestLooksFindEveryKind(t *testing.T) {
	for name, kind := range object.Kinds {
		text := []byte(fmt.Sprintf("apiVersion: %s/v1\nkind: %s\n", kind.Group, kind.Name))
		if strings.Contains(kind.Group, ".") && !strings.HasSuffix(kind.Group, ".k8s.io") && !object.WordsOf(text).Matters {
			t.Errorf("%s does not matter", name)
		}
		if lookedUp := kind.Role == object.Source || kind.Role == object.Variables; lookedUp && !object.WordsOf(text).LookedUp {
			t.Errorf("%s is not looked up", name)
		}
		if guides := kind.Role == object.Applier || kind.Role == object.Source; guides && !object.GuideOf(text).Steers {
			t.Errorf("%s does not steer", name)
		}
		if kind.Traced && (!object.MayBeTraced(text) || !object.WordsOf(text).Traced || !object.MayRender(text)) {
			t.Errorf("%s is not traced", name)
		}
	}
	for _, text := range []string{"- op: add\n", `[{"op": "add"}]`, "apiVersion: kustomize.config.k8s.io/v1beta1\n", "instance:\n  sync: {}\n"} {
		if !object.WordsOf([]byte(text)).Matters {
			t.Errorf("%q does not matter", text)
		}
	}
	if object.WordsOf([]byte("apiVersion: v1\nkind: ConfigMap\n")).Matters {
		t.Error("a ConfigMap alone matters")
	}
	for text, want := range map[string]bool{
		"instance:\n  sync: {}\n": true, `{"instance": {}}`: true, "- {op: add, path: /spec/values/instance, value: {}}": true, "? instance\n: {}": true, "{kind: a,instance: b}": true,
		"app.kubernetes.io/instance: flux": false, "instances: 2\ndb-instance: a\ninstance_type: b\n": false, "": false, "---\nkind: ClusterRole\nrules:\n- instance: a\n": false,
	} {
		if got := object.WordsOf([]byte(text)).Instance; got != want {
			t.Errorf("%q may describe a FluxInstance: %v, want %v", text, got, want)
		}
	}
}

func TestFields(t *testing.T) {
	obj := parse(t, "metadata: {name: a, namespace: b}\nspec: {list: [{x: 1}, 2], empty: null, deep: {z: true}}")
	if got := object.FullName(obj); got != "b/a" {
		t.Errorf("full name %q", got)
	}
	if got := object.FullName(parse(t, "metadata: {name: a}")); got != "a" {
		t.Errorf("full name without namespace %q", got)
	}
	if got, ok := object.Follow(obj, release.Path{"spec", "list", 0, "x"}); !ok || fmt.Sprint(got) != "1" {
		t.Errorf("list item %v, %v", got, ok)
	}
	for _, at := range []release.Path{{"spec", "list", 2}, {"spec", "none"}, {"spec", "deep", 0}, {"spec", "list", "x"}} {
		if got, ok := object.Follow(obj, at); ok {
			t.Errorf("%s is there: %v", at, got)
		}
	}
	if got, ok := object.Follow(obj, release.Path{"spec", "empty"}); !ok || got != nil {
		t.Errorf("null is %v, %v", got, ok)
	}
	var leaves []string
	object.Leaves(release.Path{"spec"}, obj["spec"], func(at release.Path, v any) { leaves = append(leaves, fmt.Sprintf("%s=%v", at, v)) })
	if want := []string{"spec.deep.z=true", "spec.list[0].x=1", "spec.list[1]=2"}; !slices.Equal(leaves, want) {
		t.Errorf("leaves %q, want %q", leaves, want)
	}
}

func TestEach(t *testing.T) {
	file, err := yamledit.Parse("a.yaml", []byte("kind: A\n---\nkind: List\nitems: [{kind: B}, {kind: CList, items: [{kind: C}]}]\n---\nkind: [\n---\n- kind: D\n---\nkind: E\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	object.Each(file, func(_ *yamledit.Document, obj map[string]any) { got = append(got, fmt.Sprint(obj["kind"])) })
	if strings.Join(got, "") != "ABCE" {
		t.Errorf("objects %q, want those of all Lists", got)
	}
	if items := object.Items(parse(t, "{kind: List, items: [{kind: B}, {kind: CList, items: [{kind: C}]}, 1]}")); len(items) != 2 {
		t.Errorf("items %v", items)
	}
}

// What may be a newer kind or version of an API of Flux is not said to be none.
func TestNewer(t *testing.T) {
	for id, want := range map[string]bool{
		"kustomize.toolkit.fluxcd.io/v2 Kustomization":     true,
		"helm.toolkit.fluxcd.io/v3alpha1 HelmRelease":      true,
		"source.toolkit.fluxcd.io/v1 Torrent":              true,
		"kustomize.toolkit.fluxcd.io/v1 Kustomization":     false,
		"kustomize.toolkit.fluxcd.io/2 Kustomization":      false,
		"kustomize.toolkit.fluxcd.io Kustomization":        false,
		"kustomization.toolkit.fluxcd.io/v2 Kustomization": false,
		"source.toolkit.fluxcd.io/v1 Git/Repository":       false,
		"apps/v2 Deployment":                               false,
	} {
		apiVersion, kind, _ := strings.Cut(id, " ")
		if got := (object.Identity{APIVersion: apiVersion, Kind: kind, Name: "x"}).Newer(); got != want {
			t.Errorf("%s: newer %v, want %v", id, got, want)
		}
	}
}
