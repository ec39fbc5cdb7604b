package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/internal/apiserver"
)

var (
	helmReleases = schema.GroupVersionResource{Group: "helm.toolkit.fluxcd.io", Version: "v2", Resource: "helmreleases"}
	namespaces   = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	clusterRoles = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"}
	roleBindings = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterrolebindings"}
)

// apiServer is a real one, with releases in it, and somebody who may do what docs/incident.md
// says.
type apiServer struct {
	t   *testing.T
	env *envtest.Environment
	dynamic.Interface
	kubeconfig string
}

func startAPIServer(t *testing.T) *apiServer {
	t.Helper()
	env, err := apiserver.At(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	config, err := env.Start()
	if err != nil {
		t.Fatalf("start the API server: %v", err)
	}
	t.Cleanup(func() {
		if err := env.Stop(); err != nil {
			t.Error(err)
		}
	})
	config.QPS = -1
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	s := &apiServer{t: t, env: env, Interface: client, kubeconfig: filepath.Join(t.TempDir(), "kubeconfig")}
	user, err := env.AddUser(envtest.User{Name: "on-call"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := user.KubeConfig()
	if err == nil {
		err = os.WriteFile(s.kubeconfig, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *apiServer) create(resource schema.GroupVersionResource, object map[string]any) {
	s.t.Helper()
	u := &unstructured.Unstructured{Object: object}
	if _, err := s.Resource(resource).Namespace(u.GetNamespace()).Create(s.t.Context(), u, metav1.CreateOptions{}); err != nil {
		s.t.Fatal(err)
	}
}

// grant binds the user to a ClusterRole of docs/incident.md.
func (s *apiServer) grant(name string) {
	s.t.Helper()
	page, err := os.ReadFile("../../docs/incident.md")
	if err != nil {
		s.t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(page, -1) {
		var object map[string]any
		if err := yaml.Unmarshal(block[1], &object); err != nil || !bytes.Contains(block[1], []byte("name: "+name+"\n")) {
			continue
		}
		s.create(clusterRoles, object)
		s.create(roleBindings, map[string]any{
			"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": map[string]any{"name": name},
			"roleRef":  map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
			"subjects": []any{map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "on-call"}},
		})
		return
	}
	s.t.Fatalf("docs/incident.md has no ClusterRole %s", name)
}

// put puts a release there with its status. What its annotation says is done to it then.
func (s *apiServer) put(object map[string]any) {
	s.t.Helper()
	u := &unstructured.Unstructured{Object: object}
	status := map[string]any{"status": object["status"]}
	delete(object, "status")
	s.create(helmReleases, object)
	s.patch(u.GetName(), status, "status")
	ctx, releases := s.t.Context(), s.Resource(helmReleases).Namespace(u.GetNamespace())
	switch u.GetAnnotations()["test"] {
	case "changed":
		s.patch(u.GetName(), map[string]any{"spec": map[string]any{"interval": "11m"}})
	case "deleted":
		if err := releases.Delete(ctx, u.GetName(), metav1.DeleteOptions{}); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *apiServer) patch(name string, patch map[string]any, sub ...string) {
	s.t.Helper()
	raw, err := json.Marshal(patch)
	if err == nil {
		_, err = s.Resource(helmReleases).Namespace("apps").Patch(s.t.Context(), name, types.MergePatchType, raw, metav1.PatchOptions{}, sub...)
	}
	if err != nil {
		s.t.Fatal(name, err)
	}
}

func (s *apiServer) get(name string) *unstructured.Unstructured {
	s.t.Helper()
	u, err := s.Resource(helmReleases).Namespace("apps").Get(s.t.Context(), name, metav1.GetOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	return u
}

// flux runs the program as the user, and returns its exit code and what it writes.
func (s *apiServer) flux(args ...string) (code int, out string) {
	s.t.Helper()
	var text bytes.Buffer
	code = run(s.t.Context(), append(args, "--kubeconfig", s.kubeconfig), streams{in: strings.NewReader(""), out: &text, err: &text})
	return code, text.String()
}

// TestAPIServer: on a real API server, with statuses from recordings in place, why and audit
// say what they say of files, and revive changes annotations and nothing else. The rights
// are those that docs/incident.md lists.
func TestAPIServer(t *testing.T) {
	s := startAPIServer(t)
	s.create(namespaces, map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "apps"}})
	text, err := os.ReadFile("../../testdata/incident/states.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			t.Fatal(err)
		}
		if object["kind"] == "HelmRelease" {
			s.put(object)
		}
	}
	if code, out := s.flux("why", "-A"); code != exitFailure || !strings.Contains(out, "cannot list resource") || !strings.Contains(out, "docs/incident.md lists the rights") {
		t.Errorf("without rights: %d, %s", code, out)
	}
	s.grant("flux-remedy-why")
	s.explains()
	s.locates()
	s.audits()
	s.revives()
}

// clock is a time that the API server has set.
var clock = regexp.MustCompile(`20([3-9]|2[7-9]|26-(0[2-9]|1|01-(0[3-9]|[1-3])))[-0-9]* [0-9:]+ UTC`)

// explains compares what why says with a golden file.
func (s *apiServer) explains() {
	code, out := s.flux("why", "-A")
	out = someDigest.ReplaceAllString(clock.ReplaceAllString(strings.ReplaceAll(out, s.kubeconfig, "KUBECONFIG"), "NOW"), madeUpDigest)
	golden := filepath.Join("..", "..", "testdata", "incident", "why.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(out), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.t.Fatal(err)
	}
	if code != exitOK || out != string(want) {
		s.t.Errorf("why -A exits with %d and writes\n%s\nwant (rewrite with -update)\n%s", code, out, want)
	}
	if code, out := s.flux("why", "missing", "-n", "apps"); code != exitNothing {
		s.t.Errorf("a release that is not there: %d, %s", code, out)
	}
}

// locates wants the file and the line that set what decided, and the controller of the cluster
// before that of the repository.
func (s *apiServer) locates() {
	repo := s.t.TempDir()
	for name, text := range map[string]string{
		"kustomization.yaml": "resources: [shop.yaml]\npatches: [{path: retries.yaml}]\n",
		"shop.yaml":          "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: rolled-back-stalled, namespace: apps}\nspec:\n  interval: 10m\n  chartRef: {kind: OCIRepository, name: shop}\n",
		"retries.yaml":       "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: rolled-back-stalled, namespace: apps}\nspec:\n  upgrade:\n    remediation:\n      retries: 2\n",
	} {
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	at := filepath.Join(repo, "retries.yaml") + ":7 spec.upgrade.remediation.retries"
	code, out := s.flux("why", "rolled-back-stalled", "-n", "apps", "--repo", repo)
	if code != exitOK || !strings.Contains(out, "\n  set by  "+at+": ") {
		s.t.Errorf("why --repo: %d, %s, want %s", code, out, at)
	}
	code, out = s.flux("revive", "apps/rolled-back-stalled", "--repo", repo, "-o", "json")
	if code != exitFindings || !strings.Contains(out, `"do": "flux reconcile helmrelease rolled-back-stalled -n apps --reset --kubeconfig `+s.kubeconfig+`"`) {
		s.t.Errorf("revive --repo -o json: %d, %s", code, out)
	}
}

// audits wants every release with the phase that fits what why says first.
func (s *apiServer) audits() {
	code, out := s.flux("audit", "-o", "json")
	var report struct {
		Releases []struct {
			Name         struct{ Name string } `json:"release"`
			Phase, State string
		}
	}
	// The rights of why do not list Namespaces, which an audit says.
	err := json.NewDecoder(strings.NewReader(out)).Decode(&report)
	if err != nil || code != exitFailure || !strings.Contains(out, "cannot list resource \"namespaces\"") || len(report.Releases) < 20 {
		s.t.Fatalf("audit: exit code %d, %d releases, %v: %.300s", code, len(report.Releases), err, out)
	}
	for _, r := range report.Releases {
		if stuck := strings.HasPrefix(r.State, "stuck: "); stuck != (r.Phase == "stuck") && r.Phase != "suspended" {
			s.t.Errorf("audit: %s has phase %s, and is %s", r.Name.Name, r.Phase, r.State)
		}
	}
}

// revives makes requests that nobody handles: there is no controller.
func (s *apiServer) revives() {
	const name = "rolled-back-stalled"
	before := s.get(name)
	code, out := s.flux("revive", "apps/"+name, "--yes", "--wait", "1ns")
	if code != exitFailure || !strings.Contains(out, "cannot patch resource") {
		s.t.Errorf("without the right to patch: %d, %s", code, out)
	}
	s.grant("flux-remedy-revive")
	code, out = s.flux("revive", "--all-stuck")
	for _, want := range []string{"apps/install-stalled is stuck", "helmrelease " + name + " -n apps --reset", "apps/name-in-use is left alone: no request helps", "Nothing was done"} {
		if code != exitFindings || !strings.Contains(out, want) {
			s.t.Errorf("the plan: %d, %s, want %s", code, out, want)
		}
	}
	if code, out = s.flux("revive", "apps/"+name, "--yes", "--wait", "1ns"); code != exitFindings || !strings.Contains(out, "not over in time: helm-controller has not ended a reconcile since the request") {
		s.t.Errorf("with nobody who handles it: %d, %s", code, out)
	}
	after := s.get(name)
	annotations := after.GetAnnotations()
	if at := annotations["reconcile.fluxcd.io/requestedAt"]; at == "" || annotations["reconcile.fluxcd.io/resetAt"] != at || len(annotations) != 2 {
		s.t.Errorf("annotations %v", annotations)
	}
	for _, u := range []*unstructured.Unstructured{before, after} {
		u.SetAnnotations(nil)
		u.SetManagedFields(nil)
		u.SetResourceVersion("")
	}
	if was, is := fmt.Sprint(before.Object), fmt.Sprint(after.Object); was != is {
		s.t.Errorf("more was changed than annotations:\n%s\n%s", was, is)
	}
	if code, out = s.flux("revive", "apps/"+name, "--yes"); code != exitFindings || !strings.Contains(out, "is left alone: helm-controller has not handled an earlier request yet") {
		s.t.Errorf("a second time: %d, %s", code, out)
	}
	for left, why := range map[string]string{
		"ready": "it is Ready", "sus-stalled": "it is suspended", "del-ready": "it is being deleted", "retry-on-failure": "overdue since ", "upgrade-runs": "if the upgrade still runs: overdue since ",
		"dep-fresh": "Flux goes on by itself", "changed": "Flux goes on by itself", "new": "Flux goes on by itself",
	} {
		if _, out := s.flux("revive", "apps/"+left, "--yes"); !strings.Contains(out, "apps/"+left+" is left alone: "+why) {
			s.t.Errorf("%s: %s, want %s", left, out, why)
		}
		if u := s.get(left); u.GetAnnotations()["reconcile.fluxcd.io/requestedAt"] != "" {
			s.t.Errorf("%s was asked", left)
		}
	}
}
