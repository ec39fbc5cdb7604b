//go:build flux

package flux

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// register registers the webhook as manifests/base does.
func (s *shop) register(t *testing.T, hook *Webhook) *unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "manifests", "base", "webhook.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	registration := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, &registration.Object); err != nil {
		t.Fatal(err)
	}
	all, _, _ := unstructured.NestedSlice(registration.Object, "webhooks")
	for _, one := range all {
		one := one.(map[string]any)
		path, _, _ := unstructured.NestedString(one, "clientConfig", "service", "path")
		one["clientConfig"] = map[string]any{"url": hook.URL + path, "caBundle": base64.StdEncoding.EncodeToString(hook.Authority)}
	}
	registration.Object["webhooks"] = all
	registration, err = s.Resource(validating).Create(s.ctx, registration, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.Resource(validating).Delete(context.Background(), registration.GetName(), metav1.DeleteOptions{})
	})
	return registration
}

var validating = schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingwebhookconfigurations"}

// fail lets the API server refuse what it cannot ask the webhook about.
func (s *shop) fail(t *testing.T, registration *unstructured.Unstructured) {
	t.Helper()
	all, _, _ := unstructured.NestedSlice(registration.Object, "webhooks")
	for _, one := range all {
		one.(map[string]any)["failurePolicy"] = "Fail"
	}
	registration.Object["webhooks"] = all
	if _, err := s.Resource(validating).Update(s.ctx, registration, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if text := s.denial(t, "9h", retried); !strings.Contains(text, "failed calling webhook") {
		t.Error(text)
	}
}
