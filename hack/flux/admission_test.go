//go:build flux

package flux

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// TestAdmission: kustomize-controller applies a release that helm-controller runs, and a change
// arrives that the webhook, or else a ValidatingAdmissionPolicy, refuses.
func TestAdmission(t *testing.T) {
	c := Start(t, Newest)
	events := receiveEvents(t)
	c.Run(t, "kustomize-controller", append(slices.Clone(kustomizeFlags), "--events-addr="+events.URL)...)
	c.Run(t, "helm-controller")
	t.Run("webhook", func(t *testing.T) {
		shop := newShop(t, c, "shop")
		shop.events = events
		shop.behindWebhook(t)
	})
	t.Run("policies", func(t *testing.T) { newShop(t, c, "store").behindPolicies(t) })
}

// events are what kustomize-controller sends to notification-controller.
type events struct {
	*httptest.Server
	mu  sync.Mutex
	all []sent
}

type sent struct{ Severity, Message string }

func receiveEvents(t *testing.T) *events {
	t.Helper()
	e := &events{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var one sent
		if err := json.NewDecoder(r.Body).Decode(&one); err != nil {
			t.Error(err)
			return
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		e.all = append(e.all, one)
	}))
	t.Cleanup(e.Close)
	return e
}

// says reports whether an event of a failure has a text.
func (e *events) says(text string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(e.all, func(e sent) bool { return e.Severity == "error" && strings.Contains(e.Message, text) })
}

// shop is a release in a production namespace, and the Kustomization that applies it.
type shop struct {
	*Cluster
	ctx       context.Context
	namespace string
	view      *View
	revision  string // that was published last
	events    *events
}

const retried = `
  install: {strategy: {name: RetryOnFailure}}
  upgrade: {strategy: {name: RetryOnFailure}}`

func newShop(t *testing.T, c *Cluster, namespace string) *shop {
	t.Helper()
	s := &shop{Cluster: c, ctx: within(t, 5*time.Minute), namespace: namespace, view: c.View(t, Kustomizations, HelmReleases)}
	for _, name := range []string{"flux-system", namespace} {
		s.create(t, Namespaces, "", fmt.Sprintf(`{apiVersion: v1, kind: Namespace, metadata: {name: %s, labels: {flux-remedy.io/tier: production}}}`, name))
	}
	s.create(t, OCIRepositories, namespace, `{apiVersion: source.toolkit.fluxcd.io/v1, kind: OCIRepository, metadata: {name: app}, spec: {interval: 1h, url: "oci://127.0.0.1/app"}}`)
	chart, err := Chart("1.0.0", map[string]string{"main.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: main}\n"})
	if err != nil {
		t.Fatal(err)
	}
	s.status(t, OCIRepositories, "app", c.Artifacts.Publish(chart, "1.0.0"))
	s.create(t, GitRepositories, namespace, `{apiVersion: source.toolkit.fluxcd.io/v1, kind: GitRepository, metadata: {name: tree}, spec: {interval: 1h, url: "https://127.0.0.1/tree"}}`)
	s.publish(t, "1h", retried)
	s.create(t, Kustomizations, namespace, `{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: apps}, spec: {
		interval: 1h, retryInterval: 2s, path: ./, prune: true, sourceRef: {kind: GitRepository, name: tree}}}`)
	s.applied(t)
	s.await(t, "the release to run", HelmReleases, "app", func(ready map[string]any) bool { return ready["status"] == "True" })
	return s
}

// release writes the release with an interval and the lines that follow.
func (s *shop) release(name, interval, recovery string) string {
	return fmt.Sprintf("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: %s, namespace: %s}\nspec:\n"+
		"  interval: %s\n  timeout: 10m\n  chartRef: {kind: OCIRepository, name: app}%s\n", name, s.namespace, interval, recovery)
}

// publish commits the release, and another one that is there to be deleted.
func (s *shop) publish(t *testing.T, interval, recovery string) {
	t.Helper()
	tree := fstest.MapFS{"app.yaml": {Data: []byte(s.release("app", interval, recovery))}, "other.yaml": {Data: []byte(s.release("other", "1h", retried))}}
	archive, err := Tar(tree, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	artifact := s.Artifacts.Publish(archive, "main")
	s.revision = artifact["revision"].(string)
	s.status(t, GitRepositories, "tree", artifact)
}

func (s *shop) create(t *testing.T, resource schema.GroupVersionResource, namespace, text string) {
	t.Helper()
	err := s.apply(resource, namespace, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
}

// apply applies an object as kustomize-controller does.
func (s *shop) apply(resource schema.GroupVersionResource, namespace string, text []byte, dryRun ...string) error {
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, &object.Object); err != nil {
		return err
	}
	options := metav1.ApplyOptions{FieldManager: "kustomize-controller", Force: true, DryRun: dryRun}
	var err error
	if namespace == "" {
		_, err = s.Resource(resource).Apply(s.ctx, object.GetName(), object, options)
	} else {
		_, err = s.Resource(resource).Namespace(namespace).Apply(s.ctx, object.GetName(), object, options)
	}
	return err
}

func (s *shop) status(t *testing.T, resource schema.GroupVersionResource, name string, artifact map[string]any) {
	t.Helper()
	patch, err := (&unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Patch", "status": map[string]any{"observedGeneration": int64(1), "artifact": artifact},
	}}).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if _, err = s.Resource(resource).Namespace(s.namespace).Patch(s.ctx, name, types.MergePatchType, patch, metav1.PatchOptions{}, "status"); err != nil {
		t.Fatal(err)
	}
}

// await waits until what Ready says of an object is so, and returns the object.
func (s *shop) await(t *testing.T, what string, resource schema.GroupVersionResource, name string, so func(ready map[string]any) bool) (found *unstructured.Unstructured) {
	t.Helper()
	err := s.view.Until(s.ctx, func() bool {
		for _, u := range s.view.All(resource) {
			if u.GetNamespace() == s.namespace && u.GetName() == name {
				found = u
				return so(condition(u, "Ready"))
			}
		}
		found = nil
		return so(nil)
	})
	if err != nil {
		t.Fatalf("%s: %v: %v", what, err, found)
	}
	return found
}

// applied waits until what was published last is applied.
func (s *shop) applied(t *testing.T) {
	t.Helper()
	s.await(t, "the Kustomization to be applied", Kustomizations, "apps", func(ready map[string]any) bool {
		return ready["status"] == "True" && strings.Contains(fmt.Sprint(ready["message"]), s.revision)
	})
}

// refused waits until what was published last is refused, and returns what the Kustomization says.
func (s *shop) refused(t *testing.T) string {
	t.Helper()
	k := s.await(t, "the Kustomization to be refused", Kustomizations, "apps", func(ready map[string]any) bool { return ready["status"] == "False" })
	if attempted, _, _ := unstructured.NestedString(k.Object, "status", "lastAttemptedRevision"); attempted != s.revision {
		t.Errorf("attempted %s, not %s", attempted, s.revision)
	}
	return condition(k, "Ready")["message"].(string)
}

// interval returns the interval of the release on the cluster.
func (s *shop) interval(t *testing.T, name string) string {
	t.Helper()
	r, err := s.Resource(HelmReleases).Namespace(s.namespace).Get(s.ctx, name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	interval, _, _ := unstructured.NestedString(r.Object, "spec", "interval")
	return interval
}

// denial asks the API server for the change until it refuses it, and returns what it says.
func (s *shop) denial(t *testing.T, interval, recovery string) string {
	t.Helper()
	text := strings.Replace(s.release("app", interval, recovery), "metadata: {", // as kustomize-controller labels it
		"metadata: {labels: {kustomize.toolkit.fluxcd.io/name: apps, kustomize.toolkit.fluxcd.io/namespace: "+s.namespace+"}, ", 1)
	for {
		if err := s.apply(HelmReleases, s.namespace, []byte(text), "All"); err != nil {
			return err.Error()
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-s.ctx.Done():
			t.Fatal("nobody refuses the change")
		}
	}
}

// holds publishes a change that is refused, and reports what the Kustomization says of it.
func (s *shop) holds(t *testing.T) (message string) {
	t.Helper()
	want := s.denial(t, "2h", "")
	s.publish(t, "2h", "")
	message = s.refused(t)
	if !strings.Contains(message, want) {
		t.Errorf("the Kustomization does not say all of it:\n%s\nwant\n%s", message, want)
	}
	r := s.await(t, "the release", HelmReleases, "app", func(map[string]any) bool { return true })
	if ready := condition(r, "Ready"); ready["status"] != "True" || s.interval(t, "app") != "1h" {
		t.Errorf("what ran does not go on: %v, interval %s", ready, s.interval(t, "app"))
	}
	return message
}

func (s *shop) behindWebhook(t *testing.T) {
	hook := NewWebhook(t, s.Cluster)
	registration := s.register(t, hook)
	message := s.holds(t)
	t.Logf("the Kustomization says\n%s", message)
	s.announces(t, message)
	s.quiet(t, hook)
	s.publish(t, "3h", retried)
	s.applied(t)

	hook.Kill() // with failurePolicy Ignore, changes pass
	s.publish(t, "4h", "")
	s.applied(t)
	s.fail(t, registration)
	s.publish(t, "5h", retried)
	if message := s.refused(t); !strings.Contains(message, "failed calling webhook") {
		t.Errorf("with failurePolicy Fail: %s", message)
	}
	s.brakes(t)
	hook.Start(t) // and all goes on by itself
	s.applied(t)
	if got := s.interval(t, "app"); got != "5h" {
		t.Errorf("the interval is %s", got)
	}
}

// announces holds that what the Kustomization says is in the event that is sent, to
// notification-controller and to the API server, and that the first 200 characters say what is
// wrong with which release, and what to do.
func (s *shop) announces(t *testing.T, message string) {
	t.Helper()
	for _, want := range []string{"HelmRelease/" + s.namespace + "/app", "no-recovery (spec)", "set install.strategy.name to RetryOnFailure"} {
		if !strings.Contains(message[:200], want) {
			t.Errorf("the first 200 characters do not say %q:\n%s", want, message[:200])
		}
	}
	kept := func() bool {
		all, err := s.Resource(schema.GroupVersionResource{Version: "v1", Resource: "events"}).Namespace(s.namespace).List(s.ctx, metav1.ListOptions{FieldSelector: "involvedObject.kind=Kustomization,type=Warning"})
		return err == nil && slices.ContainsFunc(all.Items, func(u unstructured.Unstructured) bool {
			return strings.Contains(fmt.Sprint(u.Object["message"]), message)
		})
	}
	for !s.events.says(message) || !kept() {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-s.ctx.Done():
			t.Fatalf("no event says\n%s", message)
		}
	}
}

// brakes does what must work although nobody answers: suspend, resume and delete a release.
func (s *shop) brakes(t *testing.T) {
	t.Helper()
	releases := s.Resource(HelmReleases).Namespace(s.namespace)
	for _, suspended := range []bool{true, false} {
		patch := fmt.Sprintf(`{"spec":{"suspend":%t}}`, suspended)
		if _, err := releases.Patch(s.ctx, "app", types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
			t.Errorf("suspend %t: %v", suspended, err)
		}
	}
	if err := releases.Delete(s.ctx, "other", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	var gone bool
	if err := s.view.Until(s.ctx, func() bool {
		gone = true
		for _, u := range s.view.All(HelmReleases) {
			gone = gone && (u.GetNamespace() != s.namespace || u.GetName() != "other")
		}
		return gone
	}); err != nil {
		t.Fatalf("the deleted release does not go: %v", err)
	}
}

// behindPolicies lets what flux-remedy vap writes refuse the change.
func (s *shop) behindPolicies(t *testing.T) {
	program, err := filepath.Abs(filepath.Join(assets, "flux-remedy"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, "vap").Output()
	if err != nil {
		t.Fatal(err)
	}
	for decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(string(out)), 4096); ; {
		object := &unstructured.Unstructured{}
		if decoder.Decode(&object.Object) != nil {
			break
		}
		resource := schema.GroupVersionResource{Group: validating.Group, Version: "v1", Resource: strings.ToLower(object.GetKind()) + "s"}
		resource.Resource = strings.ReplaceAll(resource.Resource, "policys", "policies")
		if len(object.Object) > 0 {
			if _, err := s.Resource(resource).Apply(s.ctx, object.GetName(), object, metav1.ApplyOptions{FieldManager: "test"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	message := s.holds(t)
	if !strings.Contains(message, "ValidatingAdmissionPolicy") {
		t.Error(message)
	}
	t.Logf("the Kustomization says\n%s", message)
	s.brakes(t)
	s.publish(t, "3h", retried)
	s.applied(t)
}
