package main

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestFailurePolicy creates releases while no webhook is reachable.
func TestFailurePolicy(t *testing.T) {
	for overlay, wants := range map[string]string{"self-signed": "", "fail-closed": "failed calling webhook"} {
		t.Run(overlay, func(t *testing.T) {
			c := needCluster(t)
			c.register(t, overlay)
			u := c.user(t)
			_, err := u.releases(u.namespace("production")).Create(t.Context(), helmRelease("app", bad), metav1.CreateOptions{})
			if got := fmt.Sprint(err); wants == "" && err != nil || !strings.Contains(got, wants) {
				t.Errorf("got %v, want %q", err, wants)
			}
		})
	}
}

// TestSuspendWithoutWebhook checks that a release can be suspended while no
// webhook answers and failurePolicy is Fail.
func TestSuspendWithoutWebhook(t *testing.T) {
	c := needCluster(t)
	u := c.user(t)
	namespace := u.namespace("")
	releases := u.releases(namespace)
	if _, err := releases.Create(t.Context(), helmRelease("app", bad), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	u.label(namespace, "production")
	c.register(t, "fail-closed")
	for _, step := range []struct{ name, body, wants string }{
		{"suspend", `{"spec":{"suspend":true}}`, ""},
		{"resume", `{"spec":{"suspend":false}}`, ""},
		{"suspend and more", `{"spec":{"suspend":true,"timeout":"1m"}}`, "failed calling webhook"},
		{"change a field", `{"spec":{"interval":"2h"}}`, "failed calling webhook"},
	} {
		_, err := releases.Patch(t.Context(), "app", mergePatch, []byte(step.body), metav1.PatchOptions{})
		if step.wants == "" && err != nil || !strings.Contains(fmt.Sprint(err), step.wants) {
			t.Errorf("%s: got %v, want %q", step.name, err, step.wants)
		}
	}
}

// TestLargeUpdate checks that the API server can evaluate the registration's
// match conditions for a release with very large values. With failurePolicy Fail,
// a condition that costs too much would refuse the release.
func TestLargeUpdate(t *testing.T) {
	c, u, _ := judged(t, "fail-closed")
	c.service.to(c.ca.startDelivered(t).admission)
	c.service.cut()
	releases := u.releases(u.namespace("production"))
	object := helmRelease("app", retried)
	values := map[string]any{}
	for n := range 8_000 {
		values[fmt.Sprintf("key-%d", n)] = map[string]any{"text": strings.Repeat("x", 20)}
	}
	object.Object["spec"].(map[string]any)["values"] = values
	if _, err := releases.Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, patch := range []string{`{"metadata":{"labels":{"a":"b"}}}`, `{"spec":{"values":{"key-7999":{"text":"y"}}}}`} {
		if _, err := releases.Patch(t.Context(), "app", mergePatch, []byte(patch), metav1.PatchOptions{}); err != nil {
			t.Error(err)
		}
	}
}

// TestFailureIsQuoted checks that the API server tells its client why the
// webhook could not judge.
func TestFailureIsQuoted(t *testing.T) {
	_, u, _ := judged(t, "fail-closed", "--max-body=10000")
	object := helmRelease("app", retried)
	object.Object["spec"].(map[string]any)["values"] = map[string]any{"text": strings.Repeat("x", 10_000)}
	_, err := u.releases(u.namespace("production")).Create(t.Context(), object, metav1.CreateOptions{})
	if err == nil || !strings.Contains(err.Error(), "failed calling webhook") || !strings.Contains(err.Error(), "larger than 10000 bytes (--max-body)") {
		t.Errorf("got %v", err)
	}
}
