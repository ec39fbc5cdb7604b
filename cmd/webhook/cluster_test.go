package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/internal/apiserver"
)

var (
	helmReleases  = schema.GroupVersionResource{Group: "helm.toolkit.fluxcd.io", Version: "v2", Resource: "helmreleases"}
	namespaces    = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	configMaps    = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	registrations = schema.GroupVersionResource{
		Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingwebhookconfigurations",
	}
)

// cluster is a real API server with its etcd. The first test that needs it starts
// it, and all share it. The webhook's registration points at service, behind
// which a test puts its instances.
type cluster struct {
	env     *envtest.Environment
	http    *http.Client
	service *service
	ca      *authority
	audit   auditLog
	// identity is the folder of the certificate that the API server shows to webhooks.
	identity string
}

var startCluster = sync.OnceValues(func() (*cluster, error) {
	env, err := apiserver.At(filepath.Join("..", ".."), filepath.Join("testdata", "crds.yaml"))
	if err != nil {
		return nil, err
	}
	c := &cluster{env: env}
	running = c
	if c.audit, err = newAuditLog(c.env.ControlPlane.GetAPIServer()); err != nil {
		return nil, err
	}
	if c.ca, err = newAuthority(); err != nil {
		return nil, err
	}
	if c.identity, err = c.ca.introduce(c.env.ControlPlane.GetAPIServer()); err != nil {
		return nil, err
	}
	config, err := c.env.Start()
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	if c.http, err = rest.HTTPClientFor(config); err != nil {
		return nil, err
	}
	if err := c.tellTiers(config); err != nil {
		return nil, err
	}
	c.service, err = newService()
	return c, err
})

// tellTiers has the API server refuse each ConfigMap of a namespace with a tier, and say which
// tier it knows.
func (c *cluster) tellTiers(config *rest.Config) error {
	u, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	for kind, spec := range map[string]string{
		"ValidatingAdmissionPolicy": `{matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]},
			validations: [{expression: "false", messageExpression: "'the tier is ' + namespaceObject.metadata.labels['flux-remedy.io/tier']"}]}`,
		"ValidatingAdmissionPolicyBinding": `{policyName: tiers, validationActions: [Deny],
			matchResources: {namespaceSelector: {matchExpressions: [{key: flux-remedy.io/tier, operator: Exists}]}}}`,
	} {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte("{apiVersion: admissionregistration.k8s.io/v1, metadata: {name: tiers}, spec: "+spec+"}"), &object.Object); err != nil {
			return err
		}
		object.SetKind(kind)
		if _, err := u.Resource(policyKinds[kind]).Create(context.Background(), object, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

var running *cluster // what stopCluster stops

func stopCluster() error {
	if running == nil {
		return nil
	}
	return errors.Join(running.env.Stop(), running.audit.remove(), os.RemoveAll(running.identity))
}

// needCluster returns the API server; without one the test fails.
func needCluster(t *testing.T) *cluster {
	t.Helper()
	c, err := startCluster()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// user is a client of the API server that collects its warnings.
type user struct {
	t testing.TB
	dynamic.Interface
	mu       sync.Mutex
	warnings []string
}

func (c *cluster) user(t testing.TB) *user {
	t.Helper()
	return c.impersonate(t, "")
}

// impersonate returns a user who may do everything, under another name unless it is empty.
func (c *cluster) impersonate(t testing.TB, name string) *user {
	t.Helper()
	u := &user{t: t}
	config := rest.CopyConfig(c.env.Config)
	if name != "" {
		config.Impersonate = rest.ImpersonationConfig{UserName: name, Groups: []string{"system:masters"}}
	}
	config.WarningHandler = u
	var err error
	if u.Interface, err = dynamic.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	return u
}

func (u *user) HandleWarningHeader(_ int, _, text string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.warnings = append(u.warnings, text)
}

// takeWarnings returns the warnings since the last call.
func (u *user) takeWarnings() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	defer func() { u.warnings = nil }()
	return u.warnings
}

// namespace creates a namespace with a tier, or with none.
func (u *user) namespace(tier string) string {
	u.t.Helper()
	ns := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"generateName": "test-"},
	}}
	if tier != "" {
		ns.SetLabels(map[string]string{"flux-remedy.io/tier": tier})
	}
	made, err := u.Resource(namespaces).Create(context.Background(), ns, metav1.CreateOptions{})
	if err != nil {
		u.t.Fatal(err)
	}
	return made.GetName()
}

// label changes the tier of a namespace and waits until the API server judges by it: admission
// learns of a namespace that it has seen before through a watch.
func (u *user) label(namespace, tier string) {
	u.t.Helper()
	patch := fmt.Appendf(nil, `{"metadata":{"labels":{"flux-remedy.io/tier":%q}}}`, tier)
	if _, err := u.Resource(namespaces).Patch(u.t.Context(), namespace, mergePatch, patch, metav1.PatchOptions{}); err != nil {
		u.t.Fatal(err)
	}
	object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap"}}
	object.SetName("probe")
	eventually(u.t, namespace+" is of "+tier, func() error {
		_, err := u.Resource(configMaps).Namespace(namespace).Create(u.t.Context(), object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if strings.Contains(fmt.Sprint(err), "the tier is "+tier) {
			return nil
		}
		return fmt.Errorf("not yet: %w", err)
	})
}

func (u *user) releases(namespace string) dynamic.ResourceInterface {
	return u.Resource(helmReleases).Namespace(namespace)
}

// register installs the ValidatingWebhookConfiguration of an overlay, with the
// cluster's service in place of its own, and waits until the API server uses it.
func (c *cluster) register(t testing.TB, overlay string) {
	t.Helper()
	c.registerAt(t, overlay, "")
}

// registerAt does the same; all webhooks call the path, unless it is empty.
func (c *cluster) registerAt(t testing.TB, overlay, path string) {
	t.Helper()
	u := c.user(t)
	for _, object := range build(t, overlay) {
		if object.GetKind() != "ValidatingWebhookConfiguration" {
			continue
		}
		c.point(&object, path)
		_, err := u.Resource(registrations).Apply(t.Context(), object.GetName(), &object, metav1.ApplyOptions{FieldManager: "test", Force: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.unregister(t) })
	}
	c.await(t, u, true)
}

// unregister deletes the registration and waits until calls have stopped.
func (c *cluster) unregister(t testing.TB) {
	t.Helper()
	u := c.user(t)
	err := u.Resource(registrations).Delete(context.Background(), "flux-remedy", metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		t.Error(err)
	}
	c.await(t, u, false)
}

// point makes the webhooks of a registration call the test's service.
func (c *cluster) point(registration *unstructured.Unstructured, other string) {
	webhooks, _, _ := unstructured.NestedSlice(registration.Object, "webhooks")
	for _, webhook := range webhooks {
		client := webhook.(map[string]any)["clientConfig"].(map[string]any)
		path, _, _ := unstructured.NestedString(client, "service", "path")
		if other != "" {
			path = other
		}
		delete(client, "service")
		client["url"] = "https://" + c.service.address() + path
		client["caBundle"] = base64.StdEncoding.EncodeToString(c.ca.pem())
	}
	_ = unstructured.SetNestedSlice(registration.Object, webhooks, "webhooks")
}

// await waits until the API server calls the webhook, or no longer calls it. It
// learns of registrations through a watch.
func (c *cluster) await(t testing.TB, u *user, calls bool) {
	t.Helper()
	namespace := u.namespace("production")
	eventually(t, fmt.Sprintf("the webhook is called: %t", calls), func() error {
		c.service.cut() // a call must open a connection
		before := c.service.accepted.Load()
		_, err := u.releases(namespace).Create(context.Background(), helmRelease("probe", bad), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if called := c.service.accepted.Load() != before; called != calls {
			return fmt.Errorf("called: %t, %w", called, err)
		}
		return nil
	})
	u.takeWarnings()
}

// build returns the objects of an overlay of manifests.
func build(t testing.TB, overlay string) []unstructured.Unstructured {
	t.Helper()
	objects, err := built(filepath.Join("..", "..", "manifests", "overlays", overlay))
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

func built(path string) (objects []unstructured.Unstructured, err error) {
	all, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), path)
	if err != nil {
		return nil, err
	}
	for _, resource := range all.Resources() {
		data, err := resource.MarshalJSON()
		if err != nil {
			return nil, err
		}
		object := unstructured.Unstructured{}
		if err := object.UnmarshalJSON(data); err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// patience is how long tests wait for what a busy machine does late.
const patience = 5 * time.Minute

// eventually tries until there is no error; it fails the test after a while.
func eventually(t testing.TB, what string, try func() error) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("waiting until %s: %v", what, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
