package main

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// folders lists the folders below one of manifests.
func folders(t *testing.T, of string) (names []string) {
	t.Helper()
	paths, err := filepath.Glob("../../manifests/" + of + "/*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s: %v", of, err)
	}
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	return names
}

// registrationOf returns the ValidatingWebhookConfiguration among some objects; nil if there is none.
func registrationOf(objects []unstructured.Unstructured) *unstructured.Unstructured {
	at := slices.IndexFunc(objects, func(o unstructured.Unstructured) bool { return o.GetKind() == "ValidatingWebhookConfiguration" })
	if at < 0 {
		return nil
	}
	return &objects[at]
}

// around builds a kustomization beside the overlays.
func around(t *testing.T, text string) []unstructured.Unstructured {
	t.Helper()
	objects, err := tryAround(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

func tryAround(t *testing.T, text string) ([]unstructured.Unstructured, error) {
	t.Helper()
	dir, err := os.MkdirTemp("../../manifests/overlays", "test-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return built(dir)
}

// composed returns the registration of the base with some components, in their order.
func composed(t *testing.T, components ...string) *unstructured.Unstructured {
	t.Helper()
	return registrationOf(around(t, composition(components...)))
}

func composition(components ...string) string {
	text := "resources: [../../base]\n"
	if len(components) > 0 {
		text += "components: [../../components/" + strings.Join(components, ", ../../components/") + "]\n"
	}
	return text
}

// installations are the registrations that the manifests offer, each once: those of the
// overlays, and of the base with each one, two and three components that change it, in any order.
func installations(t *testing.T) map[string]*unstructured.Unstructured {
	t.Helper()
	all := map[string]*unstructured.Unstructured{}
	add := func(name string, made *unstructured.Unstructured) bool {
		for _, known := range all {
			if made == nil || reflect.DeepEqual(known.Object["webhooks"], made.Object["webhooks"]) {
				return false
			}
		}
		all[name] = made
		return true
	}
	base := composed(t)
	add("base", base)
	for _, overlay := range folders(t, "overlays") {
		if !strings.HasPrefix(overlay, "test-") {
			add(overlay, registrationOf(build(t, overlay)))
		}
	}
	var deciding []string
	for _, component := range folders(t, "components") {
		objects := map[bool][]string{true: {component}, false: {"monitoring", component}}[component != "secure-metrics"]
		if made := composed(t, objects...); !reflect.DeepEqual(made.Object["webhooks"], base.Object["webhooks"]) {
			add(component, made)
			deciding = append(deciding, component)
		}
	}
	for _, one := range deciding {
		for _, two := range deciding {
			if one != two {
				add(one+", "+two, composed(t, one, two))
			}
			for _, three := range deciding {
				if one != two && two != three && one != three {
					add(one+", "+two+", "+three, composed(t, one, two, three))
				}
			}
		}
	}
	return all
}

// TestConditionsStay: every installation keeps the conditions of the base, which let through
// what must never be blocked.
func TestConditionsStay(t *testing.T) {
	conditions := func(webhook any) []any {
		list, _, _ := unstructured.NestedSlice(webhook.(map[string]any), "matchConditions")
		return list
	}
	base, _, _ := unstructured.NestedSlice(composed(t).Object, "webhooks")
	for name, made := range installations(t) {
		webhooks, _, _ := unstructured.NestedSlice(made.Object, "webhooks")
		if len(webhooks) < len(base) {
			t.Errorf("%s: %d webhooks", name, len(webhooks))
		}
		for _, webhook := range webhooks {
			for _, want := range conditions(base[0]) {
				if !slices.ContainsFunc(conditions(webhook), func(c any) bool { return reflect.DeepEqual(c, want) }) {
					t.Errorf("%s: %s lacks the condition %v", name, webhook.(map[string]any)["name"], want.(map[string]any)["name"])
				}
			}
		}
	}
}
