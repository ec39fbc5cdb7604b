package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/doctor"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// installed is an installation on the real API server, with the rights of the component
// check and a webhook that runs.
type installed struct {
	*cluster
	t        *testing.T
	api      *kubernetes.Clientset
	config   string // of the webhook
	instance *instance
}

// install applies what the check reads and the rights that it has.
func (c *cluster) install(t *testing.T) *installed {
	t.Helper()
	u := c.user(t)
	api, err := kubernetes.NewForConfig(c.env.Config)
	if err != nil {
		t.Fatal(err)
	}
	in := &installed{cluster: c, t: t, api: api, config: filepath.Join(t.TempDir(), ".flux-remedy.yaml")}
	in.configure("{}")
	in.forgetTiers()
	in.forgetReleases()
	u.ownNamespace(c)
	in.must(api.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "flux-system"}}, metav1.CreateOptions{}))
	for _, object := range build(t, "check") {
		switch object.GetKind() {
		case "ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding", "Service":
			if _, err := u.apply(c, &object, metav1.ApplyOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	in.instance = c.ca.start(t)
	c.service.to(in.instance.admission)
	c.register(t, "check")
	in.must(api.AppsV1().Deployments("flux-system").Create(t.Context(), helmController("v"+release.DefaultControllerVersion), metav1.CreateOptions{}))
	t.Cleanup(func() {
		_ = api.AppsV1().Deployments("flux-system").Delete(context.Background(), "helm-controller", metav1.DeleteOptions{})
	})
	t.Setenv("KUBECONFIG", c.kubeconfig(t, "flux-remedy", "remedy-webhook-check"))
	return in
}

// forgetTiers takes the labels away that name no tier, which other tests have left.
func (in *installed) forgetTiers() {
	in.t.Helper()
	all, err := in.api.CoreV1().Namespaces().List(in.t.Context(), metav1.ListOptions{LabelSelector: "flux-remedy.io/tier notin (production, staging, development),flux-remedy.io/tier"})
	in.must(nil, err)
	for _, namespace := range all.Items {
		_, err := in.api.CoreV1().Namespaces().Patch(in.t.Context(), namespace.Name, types.MergePatchType, []byte(`{"metadata":{"labels":{"flux-remedy.io/tier":null}}}`), metav1.PatchOptions{})
		in.must(nil, err)
	}
}

// forgetReleases deletes the releases that other tests have left.
func (in *installed) forgetReleases() {
	in.t.Helper()
	all := in.user(in.t).Resource(helmReleases)
	list, err := all.List(in.t.Context(), metav1.ListOptions{})
	in.must(nil, err)
	for _, object := range list.Items {
		releases := all.Namespace(object.GetNamespace())
		if len(object.GetFinalizers()) > 0 {
			_, _ = releases.Patch(in.t.Context(), object.GetName(), mergePatch, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
		}
		_ = releases.Delete(in.t.Context(), object.GetName(), metav1.DeleteOptions{})
	}
}

func (in *installed) must(_ any, err error) {
	in.t.Helper()
	if err != nil && !strings.Contains(err.Error(), "already exists") {
		in.t.Fatal(err)
	}
}

func (in *installed) configure(spec string) {
	in.t.Helper()
	if err := os.WriteFile(in.config, []byte(header+"spec: "+spec+"\n"), 0o600); err != nil {
		in.t.Fatal(err)
	}
}

// helmController is the Deployment of a helm-controller.
func helmController(tag string, args ...string) *appsv1.Deployment {
	labels := map[string]string{"app": "helm-controller"}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "helm-controller"},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "manager", Image: "ghcr.io/fluxcd/helm-controller:" + tag, Args: args}}},
			},
		},
	}
}

// problems runs the check and returns its problems; its exit code must go with them.
func (in *installed) problems(flags ...string) []string {
	in.t.Helper()
	var out, errs bytes.Buffer
	code := check(in.t.Context(), append([]string{"--config", in.config, "--renewed-before=1m"}, flags...), &out, &errs)
	var found []string
	for line := range strings.Lines(out.String()) {
		if problem, ok := strings.CutPrefix(line, "problem  "); ok {
			found = append(found, strings.TrimSpace(problem))
		}
	}
	if want := min(len(found), 1); code != want || errs.Len() > 0 {
		in.t.Errorf("exits with %d, want %d\n%s%s", code, want, out.String(), errs.String())
	}
	return found
}

// want fails the test unless there is one problem, with all of the words.
func (in *installed) want(problems []string, words ...string) {
	in.t.Helper()
	missing := func(word string) bool { return len(problems) > 0 && !strings.Contains(problems[0], word) }
	if len(problems) != 1 || slices.ContainsFunc(words, missing) {
		in.t.Errorf("problems %q, want one with %q", problems, words)
	}
}

// TestCheck breaks an installation in one way after the other. Each has a problem that
// names it and what to do.
func TestCheck(t *testing.T) {
	in := needCluster(t).install(t)
	if got := in.problems(); len(got) > 0 {
		t.Fatalf("nothing is wrong, and yet %q", got)
	}
	for name, broken := range map[string]struct {
		with  func()
		flags []string
		words []string
	}{
		"a label": {
			with:  func() { in.namespace("prod") },
			words: []string{"labels: namespace broken: its label flux-remedy.io/tier=prod names no tier", "production, staging, development"},
		},
		"another registration": {flags: []string{"--registration=other"}, words: []string{"registration: ValidatingWebhookConfiguration other"}},
		"no webhook": {with: func() {
			in.service.to()
			in.patchRegistration("url", "https://"+in.service.address()+"/validate/production")
		}, words: []string{"does not answer", "NetworkPolicies"}},
		"another authority": {
			with:  func() { in.patchRegistration("caBundle", base64.StdEncoding.EncodeToString(mustAuthority(t).pem())) },
			words: []string{"webhook production.flux-remedy.io of flux-remedy", "does not trust its certificate", "caBundle"},
		},
		"no authority": {with: func() { in.patchRegistration("caBundle", "") }, words: []string{"caBundle holds no certificate", "cainjector"}},
		"client certificates": {
			with: func() {
				file := filepath.Join(in.t.TempDir(), "ca.crt")
				if err := os.WriteFile(file, in.ca.pem(), 0o600); err != nil {
					in.t.Fatal(err)
				}
				in.service.to(in.ca.start(in.t, "--client-ca="+file).admission)
				in.patchRegistration("url", "https://"+in.service.address()+"/validate/production")
			},
			words: []string{"refuses callers without a client certificate"},
		},
		"another path":  {with: func() { in.patchRegistration("url", "https://"+in.service.address()+"/other") }, words: []string{"not the webhook (HTTP 404)"}},
		"no controller": {flags: []string{"--flux-namespace=flux-remedy"}, words: []string{"controller: namespace flux-remedy has no Deployment", "--flux-namespace"}},
		"an old controller": {
			with: func() { in.deploy(helmController("v1.4.2")) }, words: []string{"the Deployment flux-system/helm-controller runs helm-controller 1.4.2", "spec.controller.version"},
		},
		"no version":         {with: func() { in.deploy(helmController("latest")) }, words: []string{"the tag of its image is no version"}},
		"an old certificate": {flags: []string{"--renewed-before=100h"}, with: func() { in.patchRegistration("url", "https://"+in.service.address()+"/validate/production") }, words: []string{"its certificate ends on", "what renews it does not"}},
		"a gate": {
			with:  func() { in.deploy(helmController("v1.6.3", "--feature-gates=DefaultToRetryOnFailure=true")) },
			words: []string{"DefaultToRetryOnFailure=true", "judges by false", "spec.controller.gates"},
		},
		"another gate": {
			with: func() {
				in.configure("{controller: {gates: {UseHelm3Defaults: true}}}")
				in.service.to(in.ca.start(in.t, "--config", in.config).admission)
			},
			words: []string{"UseHelm3Defaults=false", "judges by true"},
		},
		"no namespace is matched": {
			with: func() {
				in.rewriteRegistration(func(webhook map[string]any) {
					webhook["namespaceSelector"] = map[string]any{"matchLabels": map[string]any{"nobody": "has-it"}}
				})
			},
			words: []string{"namespaces: no namespace is matched by the selectors of flux-remedy", "nothing is judged", "label namespaces"},
		},
		"releases that nobody judges": {
			with: func() {
				u := in.user(in.t)
				namespace := u.namespace("")
				for _, name := range []string{"app", "more"} {
					in.must(u.releases(namespace).Create(in.t.Context(), helmRelease(name, bad), metav1.CreateOptions{}))
				}
				in.must(u.releases(u.namespace("development")).Create(in.t.Context(), helmRelease("app", bad), metav1.CreateOptions{}))
			},
			words: []string{"releases in 1 namespaces are not judged", ": test-", " (2): label the namespaces"},
		},
		"a registration without webhooks": {
			with:  func() { in.rewriteRegistration(nil) },
			words: []string{"names no webhook, so that nothing is judged", "apply the manifests again"},
		},
		"another Service": {
			with:  func() { in.toService("other", "flux-remedy") },
			words: []string{"its Service flux-remedy/other"},
		},
		"another namespace": {
			with:  func() { in.toService("remedy-webhook", "platform") },
			words: []string{"its Service platform/remedy-webhook"},
		},
		"another policy": {
			with: func() {
				in.judgeBy("{law: {maxRetries: 3}}")
				in.configure("{}")
			},
			words: []string{"it judges by policy digest", "the configuration given here has", "--config"},
		},
		"another enforcement": {
			with: func() {
				in.judgeBy("{admission: {enforcement: {production: warn}}}")
				in.configure("{}")
			},
			words: []string{"its enforcement in production is warn, and the configuration given here says deny"},
		},
		"a backstop that is as it should be": {with: func() { in.backstop(nil) }},
		"a backstop with a narrow binding": {
			with: func() {
				in.backstop(func(binding *unstructured.Unstructured) {
					if binding.GetName() == "flux-remedy-production" {
						in.set(binding, map[string]any{"matchLabels": map[string]any{"backstop": "yes"}}, "spec", "matchResources", "namespaceSelector")
					}
				})
				in.user(in.t).namespace("production")
			},
			words: []string{"backstop: the binding flux-remedy-production leaves out", "that webhook production.flux-remedy.io is asked about: ", "the namespaceSelector of the webhook"},
		},
		"a backstop for some objects": {
			with: func() {
				in.backstop(func(binding *unstructured.Unstructured) {
					if binding.GetName() == "flux-remedy-staging-warnings" {
						in.set(binding, map[string]any{"matchLabels": map[string]any{"a": "b"}}, "spec", "matchResources", "objectSelector")
					}
				})
			},
			words: []string{"the binding flux-remedy-staging-warnings leaves objects out"},
		},
		"a backstop of another configuration": {
			with: func() {
				in.backstop(func(binding *unstructured.Unstructured) {
					if binding.GetName() == "flux-remedy-production" {
						in.set(binding, "sha256:0123456789ab", "metadata", "annotations", "flux-remedy.io/policy-digest")
					}
				})
			},
			words: []string{"the binding flux-remedy-production is of policy digest", "flux-remedy vap --config"},
		},
		"a backstop without a tier": {
			with: func() {
				in.backstop(func(binding *unstructured.Unstructured) {
					if strings.HasPrefix(binding.GetName(), "flux-remedy-production") {
						binding.SetLabels(nil)
					}
				})
			},
			words: []string{"no binding is of a policy of production"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			outer := in.t
			in.t = t
			defer func() { in.t = outer }()
			t.Cleanup(in.mend)
			if broken.with != nil {
				broken.with()
			}
			got := in.problems(broken.flags...)
			if broken.words == nil {
				if len(got) > 0 {
					t.Errorf("problems %q", got)
				}
				return
			}
			in.want(got, broken.words...)
		})
	}
}

// backstop applies the bindings of the policies, each after a change.
func (in *installed) backstop(change func(binding *unstructured.Unstructured)) {
	in.t.Helper()
	bindings := in.user(in.t).Resource(policyKinds["ValidatingAdmissionPolicyBinding"])
	for _, object := range build(in.t, "backstop") {
		if object.GetKind() != "ValidatingAdmissionPolicyBinding" {
			continue
		}
		if change != nil {
			change(&object)
		}
		_, err := bindings.Create(in.t.Context(), &object, metav1.CreateOptions{})
		in.must(nil, err)
		in.t.Cleanup(func() {
			_ = bindings.Delete(context.Background(), object.GetName(), metav1.DeleteOptions{})
		})
	}
}

func (in *installed) set(object *unstructured.Unstructured, value any, fields ...string) {
	in.t.Helper()
	in.must(nil, unstructured.SetNestedField(object.Object, value, fields...))
}

// judgeBy puts one webhook with a configuration of its own behind the registration's first.
func (in *installed) judgeBy(spec string) {
	in.t.Helper()
	file := filepath.Join(in.t.TempDir(), ".flux-remedy.yaml")
	if err := os.WriteFile(file, []byte(header+"spec: "+spec+"\n"), 0o600); err != nil {
		in.t.Fatal(err)
	}
	in.service.to(in.ca.start(in.t, "--config", file).admission)
	in.patchRegistration("url", "https://"+in.service.address()+"/validate/production")
}

// toService makes the first webhook, as the only one, call a Service.
func (in *installed) toService(name, namespace string) {
	in.t.Helper()
	in.patchRegistration("url", "https://"+in.service.address()+"/validate/production")
	in.rewriteRegistration(func(webhook map[string]any) {
		client := webhook["clientConfig"].(map[string]any)
		delete(client, "url")
		client["service"] = map[string]any{"name": name, "namespace": namespace, "path": "/validate/production"}
	})
}

// rewriteRegistration changes each webhook of the registration, or takes all away.
func (in *installed) rewriteRegistration(change func(webhook map[string]any)) {
	in.t.Helper()
	resource := in.user(in.t).Resource(registrations)
	object, err := resource.Get(in.t.Context(), "flux-remedy", metav1.GetOptions{})
	in.must(nil, err)
	webhooks, _, _ := unstructured.NestedSlice(object.Object, "webhooks")
	if change == nil {
		webhooks = []any{}
	}
	for _, webhook := range webhooks {
		change(webhook.(map[string]any))
	}
	_ = unstructured.SetNestedSlice(object.Object, webhooks, "webhooks")
	_, err = resource.Update(in.t.Context(), object, metav1.UpdateOptions{})
	in.must(nil, err)
}

// mend undoes what the cases of TestCheck do.
func (in *installed) mend() {
	in.configure("{}")
	in.forgetReleases()
	in.service.to(in.instance.admission)
	in.deploy(helmController("v" + release.DefaultControllerVersion))
	_ = in.api.CoreV1().Namespaces().Delete(context.Background(), "broken", metav1.DeleteOptions{})
	_, _ = in.api.CoreV1().Namespaces().Patch(context.Background(), "broken", types.MergePatchType, []byte(`{"metadata":{"labels":{"flux-remedy.io/tier":null}}}`), metav1.PatchOptions{})
	in.patchRegistration("", "")
}

func (in *installed) namespace(tier string) {
	in.t.Helper()
	in.must(in.api.CoreV1().Namespaces().Create(in.t.Context(), &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: "broken", Labels: map[string]string{"flux-remedy.io/tier": tier}},
	}, metav1.CreateOptions{}))
}

func (in *installed) deploy(deployment *appsv1.Deployment) {
	in.t.Helper()
	_, err := in.api.AppsV1().Deployments("flux-system").Update(context.Background(), deployment, metav1.UpdateOptions{})
	in.must(nil, err)
}

// patchRegistration changes a field of the first webhook, or puts back all.
func (in *installed) patchRegistration(field, value string) {
	in.t.Helper()
	u := in.user(in.t)
	for _, object := range build(in.t, "check") {
		if object.GetKind() != "ValidatingWebhookConfiguration" {
			continue
		}
		in.point(&object, "")
		webhooks, _, _ := unstructured.NestedSlice(object.Object, "webhooks")
		if field != "" {
			webhooks[0].(map[string]any)["clientConfig"].(map[string]any)[field] = value
			webhooks = webhooks[:1]
		}
		_ = unstructured.SetNestedSlice(object.Object, webhooks, "webhooks")
		_ = u.Resource(registrations).Delete(context.Background(), object.GetName(), metav1.DeleteOptions{})
		if _, err := u.Resource(registrations).Apply(context.Background(), object.GetName(), &object, metav1.ApplyOptions{FieldManager: "test", Force: true}); err != nil {
			in.t.Fatal(err)
		}
	}
}

func mustAuthority(t *testing.T) *authority {
	t.Helper()
	a, err := newAuthority()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestCheckNeedsItsRights takes each right of the component away: what cannot be read is a
// problem that names the right, and each right is needed.
func TestCheckNeedsItsRights(t *testing.T) {
	in := needCluster(t).install(t)
	roles := map[string]schema.GroupVersionResource{
		"ClusterRole": {Group: rbacv1.GroupName, Version: "v1", Resource: "clusterroles"}, "Role": {Group: rbacv1.GroupName, Version: "v1", Resource: "roles"},
	}
	u, taken := in.user(t), 0
	for _, object := range build(t, "check") {
		if roles[object.GetKind()].Empty() || object.GetName() != "remedy-webhook-check" {
			continue
		}
		all, _, _ := unstructured.NestedSlice(object.Object, "rules")
		put := func(kept []any) {
			_ = unstructured.SetNestedSlice(object.Object, kept, "rules")
			if _, err := u.apply(in.cluster, &object, metav1.ApplyOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		for i, rule := range all {
			resource := rule.(map[string]any)["resources"].([]any)[0].(string)
			if resource == "services" {
				in.serviceNeeded(t)
			}
			put(slices.Delete(slices.Clone(all), i, i+1))
			eventually(t, "the check misses its right on "+resource, func() error {
				if got := in.problems(); len(got) != 1 || !strings.Contains(got[0], `"`+resource+`"`) || !strings.Contains(got[0], "cannot be read") {
					return fmt.Errorf("problems %q", got)
				}
				return nil
			})
			put(all)
			in.patchRegistration("", "")
			eventually(t, "the right is back", func() error {
				if got := in.problems(); len(got) > 0 {
					return fmt.Errorf("problems %q", got)
				}
				return nil
			})
			taken++
		}
	}
	if taken != 6 {
		t.Errorf("%d rights were taken, want 6", taken)
	}
}

// serviceNeeded makes the registration name the Service of the manifests, as it does where
// it is installed.
func (in *installed) serviceNeeded(t *testing.T) {
	t.Helper()
	patch := `[{"op":"remove","path":"/webhooks/0/clientConfig/url"},{"op":"remove","path":"/webhooks/1"},` +
		`{"op":"add","path":"/webhooks/0/clientConfig/service","value":{"name":"remedy-webhook","namespace":"flux-remedy","path":"/validate/production"}}]`
	if _, err := in.user(t).Resource(registrations).Patch(t.Context(), "flux-remedy", types.JSONPatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
}

// TestCheckCannotStart holds that what cannot be examined is exit code 2.
func TestCheckCannotStart(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	for _, args := range [][]string{{}, {"--config=none"}, {"--unknown"}, {"more"}} {
		var out, errs bytes.Buffer
		if code := check(t.Context(), args, &out, &errs); code != 2 || !strings.Contains(errs.String(), "remedy-webhook check: ") {
			t.Errorf("%v: exits with %d: %s", args, code, errs.String())
		}
	}
}

// TestCheckAccess holds that the cluster is the one that --kubeconfig and --context name, and nothing else is tried.
func TestCheckAccess(t *testing.T) {
	const kubeconfig = `{apiVersion: v1, kind: Config, current-context: east,
clusters: [{name: e, cluster: {server: "https://127.0.0.1:1"}}, {name: w, cluster: {server: "https://127.0.0.1:2"}}],
contexts: [{name: east, context: {cluster: e}}, {name: west, context: {cluster: w}}]}`
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ env, flags, want string }{
		{"none", "--kubeconfig=" + file, "https://127.0.0.1:1"},
		{"none", "--kubeconfig=" + file + " --context=west", "https://127.0.0.1:2"},
		{file, "--context=west", "https://127.0.0.1:2"},
		{file, "", "https://127.0.0.1:1"},
		{file, "--context=north", ""},
		{file, "--kubeconfig=none", ""},
		{"none", "--kubeconfig=" + file + " --context=north", ""},
	} {
		t.Setenv("KUBECONFIG", tc.env)
		var host string
		i, err := examined(t.Context(), strings.Fields(tc.flags), io.Discard)
		if err == nil {
			host = i.Access.Host
		}
		if host != tc.want {
			t.Errorf("KUBECONFIG=%s %s: %q, want %q (%v)", tc.env, tc.flags, host, tc.want, err)
		}
	}
}

// TestCheckClock compares with a clock that is wrong.
func TestCheckClock(t *testing.T) {
	in := needCluster(t).install(t)
	access, err := ctrl.GetConfig()
	if err != nil {
		t.Fatal(err)
	}
	late := doctor.Installation{
		Access: access, Registration: "flux-remedy", Config: &rules.Config{}, FluxNamespace: "flux-system",
		Now: func() time.Time { return time.Now().Add(time.Minute) },
	}
	results, err := late.Examine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range results {
		if result.Check == "clock" {
			in.want(result.Problems, "from that of the API server", "synchronise")
		}
	}
}
