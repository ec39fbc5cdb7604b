package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const mergePatch = types.MergePatchType

// judged returns a cluster in which a webhook runs with the registration of an
// overlay, and a user of it.
func judged(t *testing.T, overlay string, flags ...string) (*cluster, *user, *instance) {
	t.Helper()
	c := needCluster(t)
	i := c.ca.start(t, flags...)
	c.service.to(i.admission)
	t.Cleanup(func() { c.service.to(); c.service.cut() })
	c.register(t, overlay)
	return c, c.user(t), i
}

func TestTiers(t *testing.T) {
	_, u, _ := judged(t, "self-signed")
	create := func(tier, spec string) error {
		_, err := u.releases(u.namespace(tier)).Create(t.Context(), helmRelease("app", spec), metav1.CreateOptions{})
		return err
	}

	wantDenied(t, create("production", bad), "no-recovery")
	wantDenied(t, create("prodution", bad), "no-recovery") // names no tier: the strictest
	if err := create("staging", bad); err != nil {
		t.Error("staging:", err)
	}
	if got := u.takeWarnings(); len(got) != 1 || !strings.Contains(got[0], "no-recovery") {
		t.Errorf("staging warned %q", got)
	}
	for _, tier := range []string{"production", "staging"} {
		if err := create(tier, retried); err != nil {
			t.Error(tier, err)
		}
	}
	for _, tier := range []string{"development", ""} {
		if err := create(tier, bad); err != nil {
			t.Error(tier, err)
		}
	}
	if got := u.takeWarnings(); len(got) != 0 {
		t.Errorf("warned %q without a reason", got)
	}
}

// TestWays uses every way in which objects reach the API server.
func TestWays(t *testing.T) {
	_, u, _ := judged(t, "self-signed")
	namespace := u.namespace("production")
	releases := u.releases(namespace)
	apply := metav1.ApplyOptions{FieldManager: "kustomize-controller", Force: true}
	dryRun := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}

	_, err := releases.Apply(t.Context(), "app", helmRelease("app", bad), apply)
	wantDenied(t, err, "no-recovery")
	_, err = releases.Create(t.Context(), helmRelease("app", bad), dryRun)
	wantDenied(t, err, "no-recovery")
	if _, err := releases.Create(t.Context(), helmRelease("app", retried), dryRun); err != nil {
		t.Error("dry run:", err)
	}
	if _, err := releases.Get(t.Context(), "app", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("after dry runs: %v, want nothing there", err)
	}
	if _, err := releases.Apply(t.Context(), "app", helmRelease("app", retried), apply); err != nil {
		t.Error("apply:", err)
	}
	_, err = releases.Apply(t.Context(), "app", helmRelease("app", half), apply)
	wantDenied(t, err, "upgrade-not-recovered")

	old := helmRelease("old", retried)
	old.SetAPIVersion("helm.toolkit.fluxcd.io/v2beta2")
	_, err = u.Resource(helmReleases.GroupResource().WithVersion("v2beta2")).Namespace(namespace).
		Create(t.Context(), old, metav1.CreateOptions{})
	if !apierrors.IsNotFound(err) && !meta.IsNoMatchError(err) {
		t.Errorf("v2beta2: %v, want that only v2 is served", err)
	}
}

// TestDenial reads the denial as a person and as a tool would.
func TestDenial(t *testing.T) {
	_, u, _ := judged(t, "self-signed")
	object := helmRelease("app", bad)
	object.SetLabels(map[string]string{
		"kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system",
	})
	_, err := u.releases(u.namespace("production")).Create(t.Context(), object, metav1.CreateOptions{})
	wantDenied(t, err, "no-recovery")
	message := err.(*apierrors.StatusError).ErrStatus.Message
	for _, want := range []string{
		`"production.flux-remedy.io" denied the request`, "in production", "[no-recovery]",
		"Fix:\nspec:\n", "Flux Kustomization flux-system/apps",
	} {
		if !strings.Contains(message, want) {
			t.Errorf("%q does not say %q", message, want)
		}
	}
}

// TestOldViolations checks that an object which violated the rules already can be
// used, repaired and deleted, but not made worse.
func TestOldViolations(t *testing.T) {
	_, u, _ := judged(t, "self-signed")
	namespace := u.namespace("")
	releases := u.releases(namespace)
	if _, err := releases.Create(t.Context(), helmRelease("app", bad), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	u.label(namespace, "production")
	awaitJudging(t, u, namespace)
	patch := func(body string, subresource ...string) error {
		_, err := releases.Patch(t.Context(), "app", mergePatch, []byte(body), metav1.PatchOptions{}, subresource...)
		return err
	}

	for _, step := range []struct{ name, body, subresource string }{
		{"add a finalizer", `{"metadata":{"finalizers":["finalizers.fluxcd.io/test"]}}`, ""},
		{"remove it", `{"metadata":{"finalizers":null}}`, ""},
		{"change a label", `{"metadata":{"labels":{"a":"b"}}}`, ""},
		{"request a reconciliation", `{"metadata":{"annotations":{"reconcile.fluxcd.io/requestedAt":"now"}}}`, ""},
		{"write the status", `{"status":{"observedGeneration":1}}`, "status"},
		{"suspend", `{"spec":{"suspend":true}}`, ""},
		{"resume", `{"spec":{"suspend":false}}`, ""},
	} {
		if err := patch(step.body, slices.DeleteFunc([]string{step.subresource}, func(s string) bool { return s == "" })...); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		if got := u.takeWarnings(); len(got) != 0 {
			t.Errorf("%s: warned %q", step.name, got)
		}
	}

	if err := patch(`{"spec":{"values":{"replicas":2}}}`); err != nil {
		t.Error("change the values:", err)
	}
	if got := u.takeWarnings(); len(got) != 1 || !strings.Contains(got[0], "as before this update") {
		t.Errorf("change the values: warned %q, want the old finding", got)
	}
	wantDenied(t, patch(`{"spec":{"upgrade":{"remediation":{"strategy":"uninstall","retries":3}}}}`), "uninstall-on-upgrade-failure")
	if err := patch(`{"spec":{"install":{"strategy":{"name":"RetryOnFailure"}}}}`); err != nil {
		t.Error("repair one half:", err)
	}
	if err := patch(`{"spec":{"upgrade":{"strategy":{"name":"RetryOnFailure"}}}}`); err != nil {
		t.Error("repair the other half:", err)
	}
	wantDenied(t, patch(`{"spec":{"upgrade":null}}`), "upgrade-not-recovered")
}

func TestDeletion(t *testing.T) {
	_, u, _ := judged(t, "fail-closed")
	namespace := u.namespace("")
	releases := u.releases(namespace)
	object := helmRelease("app", bad)
	object.SetFinalizers([]string{"finalizers.fluxcd.io/test"})
	if _, err := releases.Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	u.label(namespace, "production")
	awaitJudging(t, u, namespace)
	if err := releases.Delete(t.Context(), "app", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	patch := []byte(`{"metadata":{"finalizers":null},"spec":{"timeout":"1m"}}`)
	if _, err := releases.Patch(t.Context(), "app", mergePatch, patch, metav1.PatchOptions{}); err != nil {
		t.Fatal("remove the finalizer:", err)
	}
	if _, err := releases.Get(t.Context(), "app", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("got %v, want it gone", err)
	}
}

func TestWaivers(t *testing.T) {
	_, u, _ := judged(t, "self-signed")
	namespace := u.namespace("production")
	create := func(name, waiver string) error {
		object := helmRelease(name, bad)
		object.SetAnnotations(map[string]string{"waive.flux-remedy.io/no-recovery": waiver})
		_, err := u.releases(namespace).Create(t.Context(), object, metav1.CreateOptions{})
		return err
	}
	tomorrow := time.Now().AddDate(0, 0, 1).Format(time.DateOnly)
	if err := create("waived", tomorrow+" moves next week"); err != nil {
		t.Error(err)
	}
	err := create("expired", "2020-02-20 forgotten")
	wantDenied(t, err, "no-recovery")
	if !strings.Contains(err.Error(), "its waiver ended on 2020-02-20: forgotten") {
		t.Errorf("%v does not speak of the waiver", err)
	}
	patch := func(body string) error {
		_, err := u.releases(namespace).Patch(t.Context(), "waived", mergePatch, []byte(body), metav1.PatchOptions{})
		return err
	}
	if err := patch(`{"spec":{"values":{"a":1}}}`); err != nil {
		t.Error("an update under the waiver:", err)
	}
	wantDenied(t, patch(`{"metadata":{"annotations":null}}`), "no-recovery")
}

// TestDeepValues nests values as deep as the API server takes them.
func TestDeepValues(t *testing.T) {
	_, u, _ := judged(t, "fail-closed")
	object := helmRelease("app", retried)
	deepest := map[string]any{}
	object.Object["spec"].(map[string]any)["values"] = deepest
	for range 9_990 {
		inner := map[string]any{}
		deepest["a"], deepest = inner, inner
	}
	if _, err := u.releases(u.namespace("production")).Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Errorf("%.300s", err)
	}
}

// TestWholeCluster checks that every namespace has the cluster's tier, except
// those labelled with another one and those of the system.
func TestWholeCluster(t *testing.T) {
	_, u, _ := judged(t, "production-cluster")
	create := func(namespace string) error {
		_, err := u.releases(namespace).Create(t.Context(), helmRelease("app", bad), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err
	}
	wantDenied(t, create(u.namespace("")), "no-recovery")
	wantDenied(t, create("default"), "no-recovery")
	for _, namespace := range []string{u.namespace("staging"), u.namespace("development"), "kube-system"} {
		if err := create(namespace); err != nil {
			t.Errorf("%s: %v", namespace, err)
		}
	}
}

// TestWholeClusterStaging checks the same for a staging cluster.
func TestWholeClusterStaging(t *testing.T) {
	_, u, _ := judged(t, "staging-cluster")
	for namespace, warns := range map[string]bool{u.namespace(""): true, u.namespace("development"): false, "kube-system": false} {
		_, err := u.releases(namespace).Create(t.Context(), helmRelease("app", bad), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if got := u.takeWarnings(); err != nil || (len(got) > 0) != warns {
			t.Errorf("%s: warned %q, %v", namespace, got, err)
		}
	}
	_, err := u.releases(u.namespace("production")).Create(t.Context(), helmRelease("app", bad), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	wantDenied(t, err, "no-recovery")
}

// TestMove moves an installed release: only an update can do that.
func TestMove(t *testing.T) {
	_, u, _ := judged(t, "self-signed")
	releases := u.releases(u.namespace("production"))
	if _, err := releases.Create(t.Context(), helmRelease("app", retried), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	move := func() error {
		patch := []byte(`{"spec":{"targetNamespace":"elsewhere"}}`)
		_, err := releases.Patch(t.Context(), "app", mergePatch, patch, metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
		return err
	}
	if err := move(); err != nil {
		t.Error("before it is installed:", err)
	}
	installed := []byte(`{"status":{"history":[{"name":"app","namespace":"a","version":1,"configDigest":"","chartName":"app",
		"chartVersion":"1.0.0","digest":"","status":"deployed","firstDeployed":"2026-01-01T00:00:00Z","lastDeployed":"2026-01-01T00:00:00Z"}]}}`)
	if _, err := releases.Patch(t.Context(), "app", mergePatch, installed, metav1.PatchOptions{}, "status"); err != nil {
		t.Fatal(err)
	}
	wantDenied(t, move(), "release-target-change")
}

// awaitJudging waits until the API server knows the namespace's new label.
func awaitJudging(t *testing.T, u *user, namespace string) {
	t.Helper()
	eventually(t, "the namespace is judged", func() error {
		_, err := u.releases(namespace).Create(t.Context(), helmRelease("probe", bad), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err == nil {
			return fmt.Errorf("%s admits anything", namespace)
		}
		return nil
	})
	u.takeWarnings()
}
