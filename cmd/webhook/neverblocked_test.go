package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// act is something that is done to a release. The webhook is asked about it, or it passes
// without the webhook.
type act struct {
	name  string
	asked bool
	do    func(s *scene) error
}

var waived = waiverOf("no-recovery")

func waiverOf(rule string) string { return "waive.flux-remedy.io/" + rule }

// acts are done one after the other to the releases of a scene: app, which has a waiver and a
// finalizer, plain, which has no annotation, and bare, which has no spec.
var acts = []act{
	{"creation", true, create("new", bad)},
	{"creation without a spec", true, func(s *scene) error {
		object := helmRelease("new", bad)
		delete(object.Object, "spec")
		_, err := s.releases(s.namespace).Create(s.t.Context(), object, metav1.CreateOptions{DryRun: dryRun})
		return err
	}},
	{"an interval that is changed", true, try("app", `{"spec":{"interval":"20m"}}`)},
	{"a field that is added", true, try("app", `{"spec":{"timeout":"7m"}}`)},
	{"a field that is removed", true, try("app", `{"spec":{"maxHistory":null}}`)},
	{"a spec that is removed", true, try("app", `{"spec":null}`)},
	{"a spec that is added", true, try("bare", `{"spec":{"interval":"10m","chartRef":{"kind":"OCIRepository","name":"app"}}}`)},
	{"a waiver that is removed", true, try("app", `{"metadata":{"annotations":{"`+waived+`":null}}}`)},
	{"a waiver that is changed", true, try("app", `{"metadata":{"annotations":{"`+waived+`":"2999-01-01 other"}}}`)},
	{"annotations that are removed", true, try("app", `{"metadata":{"annotations":null}}`)},
	{"Flux's dry run of an unchanged object", false, func(s *scene) error { return s.apply(s.app(), dryRun...) }},
	{"suspension", false, patch("app", `{"spec":{"suspend":true}}`)},
	{"resumption", false, patch("app", `{"spec":{"suspend":false}}`)},
	{"resumption by removing the field", false, patch("app", `{"spec":{"suspend":null}}`)},
	{"suspension without annotations", false, patch("plain", `{"spec":{"suspend":true}}`)},
	{"a label", false, patch("plain", `{"metadata":{"labels":{"a":"b"}}}`)},
	{"a label where there is no spec", false, patch("bare", `{"metadata":{"annotations":{"a":"b"}}}`)},
	{"a first annotation", false, patch("plain", `{"metadata":{"annotations":{"reconcile.fluxcd.io/requestedAt":"now"}}}`)},
	{"a request to reconcile", false, patch("app", `{"metadata":{"annotations":{"reconcile.fluxcd.io/requestedAt":"later"}}}`)},
	{"one more waiver", false, patch("app", `{"metadata":{"annotations":{"`+waiverOf("test-limbo")+`":"2999-01-01 reason"}}}`)},
	{"a finalizer", false, patch("app", `{"metadata":{"finalizers":["finalizers.fluxcd.io","example.com/more"]}}`)},
	{"status", false, patch("app", `{"status":{"observedGeneration":3}}`, "status")},
	{"deletion", false, func(s *scene) error {
		return s.releases(s.namespace).Delete(s.t.Context(), "app", metav1.DeleteOptions{})
	}},
	{"a change while it is deleted", false, patch("app", `{"spec":{"interval":"20m"}}`)},
	{"deletion of the namespace", false, func(s *scene) error {
		return s.Resource(namespaces).Delete(s.t.Context(), s.namespace, metav1.DeleteOptions{})
	}},
	{"the last finalizers", false, patch("app", `{"metadata":{"finalizers":null}}`)},
	{"that it is gone", false, func(s *scene) error {
		if _, err := s.releases(s.namespace).Get(s.t.Context(), "app", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			return fmt.Errorf("the release stays: %w", err)
		}
		return nil
	}},
}

func create(name, spec string) func(*scene) error {
	return func(s *scene) error {
		_, err := s.releases(s.namespace).Create(s.t.Context(), helmRelease(name, spec), metav1.CreateOptions{DryRun: dryRun})
		return err
	}
}

// try patches a release as a dry run.
func try(name, body string) func(*scene) error { return change(name, body, dryRun) }

func patch(name, body string, subresource ...string) func(*scene) error {
	return change(name, body, nil, subresource...)
}

func change(name, body string, dryRun []string, subresource ...string) func(*scene) error {
	return func(s *scene) error {
		_, err := s.releases(s.namespace).Patch(s.t.Context(), name, mergePatch, []byte(body), metav1.PatchOptions{DryRun: dryRun}, subresource...)
		return err
	}
}

// scene is a namespace of a tier with releases that nobody has judged.
type scene struct {
	*user
	tier, namespace string
}

func newScene(t *testing.T, c *cluster, tier string) *scene {
	t.Helper()
	u := c.user(t)
	s := &scene{user: u, tier: tier, namespace: u.namespace(tier)}
	bare := helmRelease("bare", bad)
	delete(bare.Object, "spec")
	for _, object := range []*unstructured.Unstructured{s.app(), helmRelease("plain", bad), bare} {
		if err := s.apply(object); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *scene) app() *unstructured.Unstructured {
	object := helmRelease("app", `{maxHistory: 5}`)
	object.SetFinalizers([]string{"finalizers.fluxcd.io"})
	object.SetAnnotations(map[string]string{waived: "2999-01-01 reason", "reconcile.fluxcd.io/requestedAt": "now"})
	return object
}

func (s *scene) apply(object *unstructured.Unstructured, dryRun ...string) error {
	_, err := s.releases(s.namespace).Apply(s.t.Context(), object.GetName(), object, metav1.ApplyOptions{FieldManager: "kustomize-controller", Force: true, DryRun: dryRun})
	return err
}

// promise is what an installation says of itself by its name and failurePolicy, whatever its
// conditions are.
type promise struct {
	fails      map[string]bool // by tier, while nobody answers
	sparesCore bool            // flux-system and cert-manager are left alone
	whole      []string        // the tiers of namespaces without a label
}

func promiseOf(name string, made *unstructured.Unstructured) promise {
	out := promise{fails: map[string]bool{}, sparesCore: strings.Contains(name, "fail-closed-apps")}
	webhooks, _, _ := unstructured.NestedSlice(made.Object, "webhooks")
	for _, webhook := range webhooks {
		tier, _, _ := strings.Cut(webhook.(map[string]any)["name"].(string), ".")
		out.fails[tier] = webhook.(map[string]any)["failurePolicy"] == "Fail"
		if strings.Contains(name, tier+"-cluster") {
			out.whole = append(out.whole, tier)
		}
	}
	slices.Sort(out.whole)
	return out
}

// core are the namespaces that installations may leave alone, and whether this one does.
func (p promise) core() map[string]bool {
	return map[string]bool{
		"kube-system": true, "kube-public": true, "kube-node-lease": true, "flux-remedy": true,
		"flux-system": p.sparesCore, "cert-manager": p.sparesCore,
	}
}

// labels are what namespaces may say of their tier, with the tiers whose webhooks are asked.
func (p promise) labels() map[string][]string {
	noTier := []string{"production"}
	if slices.Contains(p.whole, "staging") {
		noTier = append(noTier, "staging")
	}
	return map[string][]string{"production": {"production"}, "staging": {"staging"}, "development": nil, "": p.whole, "no-tier": noTier}
}

// TestNeverBlocked: in every installation what must never be blocked passes, and about all else
// the webhook of the tier is asked: with one that denies everything, with one that nobody runs,
// and with one that hangs.
func TestNeverBlocked(t *testing.T) {
	c := needCluster(t)
	all := recordAsked(t, c)
	needCore(t, c)
	for name, made := range installations(t) {
		t.Run(name, func(t *testing.T) {
			inspection := &inspection{c: c, recorder: all, promise: promiseOf(name, made)}
			var scenes []*scene
			for range 3 {
				scenes = append(scenes, newScene(t, c, "production"), newScene(t, c, "staging"))
			}
			inspection.register(t, made, 30)
			for n, state := range []struct {
				name      string
				endpoints []string
			}{{"denied", []string{all.address()}}, {"nobody answers", nil}, {"it hangs", []string{hanging(t)}}} {
				if state.name == "it hangs" {
					inspection.register(t, made, 1)
				}
				c.service.to(state.endpoints...)
				if state.name == "it hangs" {
					for _, wrong := range inspection.hung(t, scenes[2*n:2*n+2]) {
						t.Error(wrong)
					}
				}
				for _, s := range scenes[2*n : 2*n+2] {
					for _, wrong := range inspection.broken(s, state.name) {
						t.Errorf("%s, %s: %s", state.name, s.tier, wrong)
					}
				}
			}
		})
	}
}

// needCore makes the namespaces of the core, and takes their labels away when the test ends.
func needCore(t *testing.T, c *cluster) {
	t.Helper()
	u := c.user(t)
	u.ownNamespace(c)
	for namespace := range (promise{}).core() {
		object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace"}}
		object.SetName(namespace)
		if _, err := u.Resource(namespaces).Apply(t.Context(), namespace, object, metav1.ApplyOptions{FieldManager: "test", Force: true}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_, _ = u.Resource(namespaces).Patch(context.Background(), namespace, mergePatch, []byte(`{"metadata":{"labels":{"flux-remedy.io/tier":null}}}`), metav1.PatchOptions{})
		})
	}
}

// inspection holds a registration to what its installation promises.
type inspection struct {
	c        *cluster
	recorder *recorder
	promise
}

// broken does all acts in a scene and returns what goes wrong.
func (i *inspection) broken(s *scene, state string) (wrong []string) {
	for _, a := range acts {
		if state == "it hangs" && a.asked {
			continue // each takes a second: see hung
		}
		var want []string
		if a.asked {
			want = []string{s.tier}
		}
		wrong = append(wrong, i.try(s, state, a.name, want, a.do)...)
	}
	if state != "denied" {
		return wrong
	}
	for namespace, spared := range i.core() {
		s.label(namespace, s.tier)
		var want []string
		if !spared {
			want = []string{s.tier}
		}
		wrong = append(wrong, i.try(&scene{user: s.user, namespace: namespace}, state, "creation in "+namespace, want, create("new", bad))...)
	}
	for label, want := range i.labels() {
		other := &scene{user: s.user, namespace: s.user.namespace(label)}
		wrong = append(wrong, i.try(other, state, fmt.Sprintf("creation in a namespace with the label %q", label), want, create("new", bad))...)
	}
	return wrong
}

// try does an act, about which the webhooks of some tiers are asked. What passes may be asked about,
// too, while the API server's cache is older than the act before: it tries again by itself.
func (i *inspection) try(s *scene, state, name string, want []string, do func(*scene) error) (wrong []string) {
	i.recorder.take()
	before := i.c.service.accepted.Load()
	err := do(s)
	return i.wrong(state, name, want, i.c.service.accepted.Load() != before, i.recorder.take(), err)
}

// hung creates a release in each scene while the webhook does not answer. Each creation begins when
// the one before has called the webhook, so that all wait at the same time.
func (i *inspection) hung(t *testing.T, scenes []*scene) (wrong []string) {
	t.Helper()
	called, refused := make([]bool, len(scenes)), make([]error, len(scenes))
	var waiting sync.WaitGroup
	for n, s := range scenes {
		before, ended := i.c.service.accepted.Load(), make(chan bool)
		waiting.Go(func() {
			defer close(ended)
			refused[n] = create("new", bad)(s)
		})
		eventually(t, "the webhook is called", func() error {
			called[n] = i.c.service.accepted.Load() != before
			select {
			case <-ended:
			default:
				if !called[n] {
					return errors.New("not yet")
				}
			}
			return nil
		})
	}
	waiting.Wait()
	for n, s := range scenes {
		wrong = append(wrong, i.wrong("it hangs", s.tier+": creation", []string{s.tier}, called[n], nil, refused[n])...)
	}
	return wrong
}

// wrong returns what is wrong with the end of an act, about which the webhooks of some tiers are asked.
func (i *inspection) wrong(state, name string, want []string, called bool, asked []string, err error) (wrong []string) {
	if len(want) > 0 && !called || state == "denied" && len(want) > 0 && !slices.Equal(asked, want) {
		wrong = append(wrong, fmt.Sprintf("%s: called: %t, the webhooks %q are asked, want %q (%v)", name, called, asked, want, err))
	}
	refuses := slices.ContainsFunc(want, func(tier string) bool { return state == "denied" || i.fails[tier] })
	if (err != nil) != refuses {
		wrong = append(wrong, fmt.Sprintf("%s: refused: %t, want %t: %v", name, err != nil, refuses, err))
	}
	return wrong
}

// register installs a registration whose webhooks are waited for some seconds, and returns when the
// API server judges by it. That shows by one more webhook, of a namespace of its own.
func (i *inspection) register(t *testing.T, made *unstructured.Unstructured, seconds int64) {
	t.Helper()
	u, object := i.c.user(t), made.DeepCopy()
	mark := u.namespace("")
	webhooks, _, _ := unstructured.NestedSlice(object.Object, "webhooks")
	for _, webhook := range webhooks {
		webhook.(map[string]any)["timeoutSeconds"] = seconds
	}
	probe := (&unstructured.Unstructured{Object: webhooks[0].(map[string]any)}).DeepCopy().Object
	probe["name"], probe["matchConditions"] = "probe.flux-remedy.io", nil
	probe["rules"] = []any{map[string]any{"apiGroups": []any{""}, "apiVersions": []any{"v1"}, "resources": []any{"configmaps"}, "operations": []any{"CREATE"}}}
	probe["namespaceSelector"] = map[string]any{"matchLabels": map[string]any{"kubernetes.io/metadata.name": mark}}
	_ = unstructured.SetNestedField(probe, "/"+mark, "clientConfig", "service", "path")
	webhooks = append(webhooks, probe)
	_ = unstructured.SetNestedSlice(object.Object, webhooks, "webhooks")
	i.c.point(object, "")
	if _, err := u.Resource(registrations).Apply(t.Context(), object.GetName(), object, metav1.ApplyOptions{FieldManager: "test", Force: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { i.c.service.to(); i.c.unregister(t) })
	i.c.service.to(i.recorder.address())
	config := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "probe"}}}
	eventually(t, "the API server knows the registration", func() error {
		_, err := u.Resource(configMaps).Namespace(mark).Create(t.Context(), config, metav1.CreateOptions{DryRun: dryRun})
		if asked := i.recorder.take(); !slices.Contains(asked, mark) {
			return fmt.Errorf("asked %q: %w", asked, err)
		}
		return nil
	})
}

// recorder is a webhook that denies everything, and notes on which paths it is asked.
type recorder struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func recordAsked(t *testing.T, c *cluster) *recorder {
	t.Helper()
	r := &recorder{}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		in := admissionv1.AdmissionReview{}
		if err := json.NewDecoder(request.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.mu.Lock()
		r.asked = append(r.asked, request.URL.Path[strings.LastIndex(request.URL.Path, "/")+1:])
		r.mu.Unlock()
		writeJSON(w, http.StatusOK, &admissionv1.AdmissionReview{TypeMeta: in.TypeMeta, Response: &admissionv1.AdmissionResponse{UID: in.Request.UID}})
	}))
	r.TLS = &tls.Config{Certificates: []tls.Certificate{c.ca.certificate(t)}}
	r.Config.SetKeepAlivesEnabled(false) // so that each call opens a connection
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

func (r *recorder) address() string { return r.Listener.Addr().String() }

// take returns the last steps of the paths on which it was asked since the last call, sorted.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.asked = nil }()
	slices.Sort(r.asked)
	return r.asked
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
