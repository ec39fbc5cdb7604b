package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// definitions are the CustomResourceDefinitions.
var definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// serveOld serves v2beta2 beside v2 until the test ends, as the CRDs of an older Flux do.
// It has no strategies.
func (c *cluster) serveOld(t *testing.T, u *user, namespace string) dynamic.ResourceInterface {
	t.Helper()
	name := helmReleases.GroupResource().String()
	current, err := u.Resource(definitions).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	versions, _, _ := unstructured.NestedSlice(current.Object, "spec", "versions")
	old := (&unstructured.Unstructured{Object: versions[0].(map[string]any)}).DeepCopy().Object
	old["name"], old["storage"] = "v2beta2", false
	for _, action := range []string{"install", "upgrade"} {
		properties := []string{"schema", "openAPIV3Schema", "properties", "spec", "properties", action, "properties"}
		unstructured.RemoveNestedField(old, append(properties, "strategy")...)
		unstructured.RemoveNestedField(old, append(properties[:len(properties)-1], "x-kubernetes-validations")...)
	}
	put := func(ctx context.Context, versions []any) error {
		current, err := u.Resource(definitions).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		_ = unstructured.SetNestedSlice(current.Object, versions, "spec", "versions")
		_, err = u.Resource(definitions).Update(ctx, current, metav1.UpdateOptions{})
		return err
	}
	if err := put(t.Context(), append(versions[:1:1], old)); err != nil {
		t.Fatal(err)
	}
	releases := u.Resource(helmReleases.GroupResource().WithVersion("v2beta2")).Namespace(namespace)
	served := func() error {
		_, err := releases.List(context.Background(), metav1.ListOptions{})
		return err
	}
	t.Cleanup(func() {
		if err := put(context.Background(), versions); err != nil {
			t.Error(err)
		}
		eventually(t, "v2beta2 is served no more", func() error {
			if served() == nil {
				return errors.New("it is served")
			}
			return nil
		})
	})
	eventually(t, "v2beta2 is served", served)
	return releases
}

// TestOldVersionIsNoDetour sends releases in a version that lacks the strategies. The
// version alone is no fault where it is served, and what it holds is judged.
func TestOldVersionIsNoDetour(t *testing.T) {
	c, u, _ := judged(t, "self-signed")
	namespace := u.namespace("production")
	releases := c.serveOld(t, u, namespace)
	in := func(name, spec string) *unstructured.Unstructured {
		object := helmRelease(name, spec)
		object.SetAPIVersion("helm.toolkit.fluxcd.io/v2beta2")
		return object
	}
	good, err := releases.Create(t.Context(), in("bounded", `{install: {remediation: {retries: 3}}, upgrade: {remediation: {retries: 3, remediateLastFailure: true}}}`), metav1.CreateOptions{})
	if err != nil {
		t.Fatal("a good release:", err)
	}
	_, err = releases.Create(t.Context(), in("retried", retried), metav1.CreateOptions{})
	wantDenied(t, err, "no-recovery") // its strategies are dropped
	_ = unstructured.SetNestedField(good.Object, int64(-1), "spec", "upgrade", "remediation", "retries")
	_, err = releases.Update(t.Context(), good, metav1.UpdateOptions{})
	if err == nil || strings.Contains(err.Error(), "removed-api") {
		t.Errorf("unlimited retries: %v, want a denial for them", err)
	}
}

// TestCheckOldVersion runs the check where the API server serves v2beta2.
func TestCheckOldVersion(t *testing.T) {
	in := needCluster(t).install(t)
	in.serveOld(t, in.user(t), "default")
	eventually(t, "the check sees it", func() error {
		if len(in.problems()) == 0 {
			return errors.New("no problem")
		}
		return nil
	})
	in.want(in.problems(), "the API server still serves helm.toolkit.fluxcd.io/v2beta2", "loses spec.install.strategy", "update the CRDs of Flux")
}
