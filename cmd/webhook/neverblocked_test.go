package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
// overlays, and of the base with each component and each two, that change it.
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
		for _, other := range deciding {
			if one != other {
				add(one+", "+other, composed(t, one, other))
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

// hanging is an address that takes connections and never answers.
func hanging(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener.Addr().String()
}

// TestNeverBlocked: in every installation, with a webhook that nobody runs and with one that
// hangs, what must never be blocked passes, and what the installation refuses is refused.
func TestNeverBlocked(t *testing.T) {
	c := needCluster(t)
	for name, made := range installations(t) {
		t.Run(name, func(t *testing.T) {
			c.registerObject(t, impatient(made))
			t.Cleanup(func() { c.service.to(); c.service.cut() })
			for state, endpoints := range map[string][]string{"nobody answers": nil, "it hangs": {hanging(t)}} {
				c.service.to(endpoints...)
				c.service.cut()
				for _, tier := range []string{"production", "staging"} {
					neverBlocked(t, c, state, tier, made)
				}
			}
		})
	}
}

// impatient returns a registration whose webhooks are waited for as short as possible.
func impatient(made *unstructured.Unstructured) *unstructured.Unstructured {
	made = made.DeepCopy()
	webhooks, _, _ := unstructured.NestedSlice(made.Object, "webhooks")
	for _, webhook := range webhooks {
		webhook.(map[string]any)["timeoutSeconds"] = int64(1)
	}
	_ = unstructured.SetNestedSlice(made.Object, webhooks, "webhooks")
	return made
}

func neverBlocked(t *testing.T, c *cluster, state, tier string, made *unstructured.Unstructured) {
	t.Helper()
	u := c.user(t)
	namespace := u.namespace("development") // which no overlay judges
	releases := u.releases(namespace)
	old := helmRelease("app", bad)
	old.SetFinalizers([]string{"finalizers.fluxcd.io"})
	apply := metav1.ApplyOptions{FieldManager: "kustomize-controller", Force: true}
	if _, err := releases.Apply(t.Context(), "app", old, apply); err != nil {
		t.Fatal(err)
	}
	u.label(namespace, tier)
	refuses := fails(made, tier)
	eventually(t, "the namespace is judged", func() error {
		before := c.service.accepted.Load()
		c.service.cut()
		_, err := releases.Create(t.Context(), helmRelease("new", retried), metav1.CreateOptions{DryRun: dryRun})
		if refused := apierrors.IsInternalError(err) || apierrors.IsTimeout(err); refused != refuses || c.service.accepted.Load() == before {
			return fmt.Errorf("%s, %s: refused: %t, want %t: %w", state, tier, refused, refuses, err)
		}
		return nil
	})
	patch := func(what, body string, subresource ...string) {
		if _, err := releases.Patch(t.Context(), "app", mergePatch, []byte(body), metav1.PatchOptions{}, subresource...); err != nil {
			t.Errorf("%s, %s: %s: %v", state, tier, what, err)
		}
	}
	old.SetFinalizers([]string{"finalizers.fluxcd.io"})
	if _, err := releases.Apply(t.Context(), "app", old, metav1.ApplyOptions{FieldManager: "kustomize-controller", Force: true, DryRun: dryRun}); err != nil {
		t.Errorf("%s, %s: Flux's dry run of an unchanged object: %v", state, tier, err)
	}
	patch("suspend", `{"spec":{"suspend":true}}`)
	patch("resume", `{"spec":{"suspend":false}}`)
	patch("a label", `{"metadata":{"labels":{"a":"b"}}}`)
	patch("a request to reconcile", `{"metadata":{"annotations":{"reconcile.fluxcd.io/requestedAt":"now"}}}`)
	patch("a finalizer", `{"metadata":{"finalizers":["finalizers.fluxcd.io","example.com/more"]}}`)
	patch("status", `{"status":{"observedGeneration":3}}`, "status")
	if err := releases.Delete(t.Context(), "app", metav1.DeleteOptions{}); err != nil {
		t.Errorf("%s, %s: deletion: %v", state, tier, err)
	}
	if err := u.Resource(namespaces).Delete(t.Context(), namespace, metav1.DeleteOptions{}); err != nil {
		t.Errorf("%s, %s: deletion of the namespace: %v", state, tier, err)
	}
	patch("the last finalizers", `{"metadata":{"finalizers":null}}`)
	if _, err := releases.Get(t.Context(), "app", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("%s, %s: the release stays: %v", state, tier, err)
	}
}

// fails reports whether a registration refuses what a tier's webhook does not answer.
func fails(made *unstructured.Unstructured, tier string) bool {
	webhooks, _, _ := unstructured.NestedSlice(made.Object, "webhooks")
	return slices.ContainsFunc(webhooks, func(w any) bool {
		webhook := w.(map[string]any)
		return webhook["name"] == tier+".flux-remedy.io" && webhook["failurePolicy"] == "Fail"
	})
}
