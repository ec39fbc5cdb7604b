package audit

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/policyreport"
	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/internal/apiserver"
	"github.com/flux-remedy/remedy/pkg/release"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// many is how many releases the real API server is filled with.
var many = flag.Int("releases", 200, "releases on the real API server")

func TestMain(m *testing.M) {
	code := m.Run()
	if started != nil {
		_ = started.Stop()
	}
	os.Exit(code)
}

var started *envtest.Environment

// startServer starts a real API server; all tests share it.
var startServer = sync.OnceValues(func() (*rest.Config, error) {
	root := filepath.Join("..", "..", "..", "..", "..")
	reports := filepath.Join(root, "bin", "crds", "reports") // as their projects publish them
	if _, err := os.Stat(reports); err != nil {
		reports = filepath.Join("testdata", "crds.yaml")
	}
	var err error
	if started, err = apiserver.At(root, reports); err != nil {
		return nil, err
	}
	return started.Start()
})

// server is the API server as one account sees it. It counts requests.
type server struct {
	t        testing.TB
	front    *livetest.Server // where it is
	admin    *http.Client
	base     string
	mu       sync.Mutex
	requests []string
	bodies   bytes.Buffer // what was answered
}

// sent returns all that the API server has answered.
func (s *server) sent() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bodies.String()
}

// needServer returns the API server for an account, or for somebody who may do everything.
func needServer(t testing.TB, account string) *server {
	t.Helper()
	config, err := startServer()
	if err != nil {
		t.Fatalf("start the API server: %v", err)
	}
	to, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, base: strings.TrimSuffix(to.String(), "/")}
	if s.admin, err = rest.HTTPClientFor(config); err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.Transport = s.admin.Transport
	proxy.ModifyResponse = func(r *http.Response) error {
		body, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.mu.Lock()
		defer s.mu.Unlock()
		s.bodies.Write(body)
		return err
	}
	front := livetest.New(t)
	front.Before = func(w http.ResponseWriter, r *http.Request) bool {
		s.mu.Lock()
		s.requests = append(s.requests, r.Method+" "+r.URL.Path)
		s.mu.Unlock()
		r.Header.Del("Authorization")
		if account != "" {
			r.Header.Set("Impersonate-User", "system:serviceaccount:"+account)
		}
		proxy.ServeHTTP(w, r)
		return true
	}
	s.front = front
	return s
}

// do sends a request of somebody who may do everything.
func (s *server) do(method, path, contentType string, body any) (map[string]any, int) {
	s.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(context.Background(), method, s.base+path, bytes.NewReader(raw))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	response, err := s.admin.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil && err != io.EOF {
		s.t.Fatal(err)
	}
	return answer, response.StatusCode
}

// must applies an object.
func (s *server) must(path string, object any) map[string]any {
	s.t.Helper()
	answer, code := s.do(http.MethodPatch, path+"?fieldManager=test&force=true", "application/apply-patch+yaml", object)
	if code >= 300 {
		s.t.Fatalf("%s: %v", path, answer)
	}
	return answer
}

func (s *server) namespace(name string) {
	s.t.Helper()
	s.must("/api/v1/namespaces/"+name, map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}})
}

func releasePath(namespace, name string) string {
	return "/apis/helm.toolkit.fluxcd.io/v2/namespaces/" + namespace + "/helmreleases/" + name
}

// put makes a HelmRelease be as it is given, with its status.
func (s *server) put(object map[string]any) {
	s.t.Helper()
	meta := object["metadata"].(map[string]any)
	path := releasePath(meta["namespace"].(string), meta["name"].(string))
	status := object["status"].(map[string]any)
	delete(object, "status")
	delete(meta, "uid")
	delete(meta, "generation")
	meta["finalizers"] = []any{}
	made := s.must(path, object)["metadata"].(map[string]any)
	status["observedGeneration"], status["lastAttemptedGeneration"] = made["generation"], made["generation"]
	patch := map[string]any{"apiVersion": object["apiVersion"], "kind": "HelmRelease", "metadata": map[string]any{"name": meta["name"]}, "status": status}
	s.must(path+"/status", patch)
}

func (s *server) remove(path string) {
	s.t.Helper()
	if answer, code := s.do(http.MethodDelete, path, "application/json", map[string]any{"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"}); code >= 300 && code != http.StatusNotFound {
		s.t.Fatalf("%s: %v", path, answer)
	}
}

// audit looks at the server, and returns what was asked.
func (s *server) audit(o Options) (overview.Report, []string) {
	s.t.Helper()
	s.mu.Lock()
	s.requests = nil
	s.bodies.Reset()
	s.mu.Unlock()
	r := run(s.t, o, map[string]*livetest.Server{"one": s.front})
	s.mu.Lock()
	defer s.mu.Unlock()
	return r, slices.Clone(s.requests)
}

// TestServer looks at releases of the real API server: in as many requests as there are
// pages, with as much memory as what is said of them takes.
func TestServer(t *testing.T) {
	s := needServer(t, "")
	s.namespace("many")
	for i := range *many {
		object := ready("many", fmt.Sprintf("r%05d", i))
		switch i % 10 {
		case 0:
			object = stalled("many", fmt.Sprintf("r%05d", i))
		case 1:
			object = failing("many", fmt.Sprintf("r%05d", i), i)
		}
		object["spec"].(map[string]any)["values"] = map[string]any{"password": "correct-horse", "text": strings.Repeat("x", 8000)}
		s.put(object)
	}
	t.Cleanup(func() { s.remove("/apis/helm.toolkit.fluxcd.io/v2/namespaces/many/helmreleases") })
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, requests := s.audit(Options{Namespace: "many"})
	runtime.GC()
	runtime.ReadMemStats(&after)
	kept := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / int64(*many)
	pages := (*many + 499) / 500
	t.Logf("%d releases, requests: %d, kept: %d bytes each, allocated: %d MiB", *many, len(requests), kept, (after.TotalAlloc-before.TotalAlloc)>>20)
	if len(r.Problems) > 0 || len(r.Releases) != *many || r.Summary.ByPhase[overview.Stuck] != (*many+9)/10 || r.Summary.ByPhase[overview.Failing] != (*many+8)/10 {
		t.Errorf("%q %s", r.Problems, r.Summary)
	}
	if len(requests) != pages+4 || kept > 40_000 {
		t.Errorf("%d requests, want %d; %d bytes are kept for each release", len(requests), pages+4, kept)
	}
	runtime.KeepAlive(r)
	var out bytes.Buffer
	if err := overview.Write(&out, "json", r, document.Screen{}, ""); err != nil || strings.Contains(out.String(), "correct-horse") {
		t.Errorf("%v, values are read", err)
	}
}

// reports lists the reports of a namespace, as NAME PASS/FAIL/WARN/ERROR/SKIP VERSION.
func (s *server) reports(k policyreport.Kind, namespace string) map[string]string {
	s.t.Helper()
	answer, code := s.do(http.MethodGet, "/apis/"+k.Resource.Group+"/"+k.Resource.Version+"/namespaces/"+namespace+"/"+k.Resource.Plural, "application/json", nil)
	if code != http.StatusOK {
		s.t.Fatal(answer)
	}
	all := map[string]string{}
	for _, item := range answer["items"].([]any) {
		object := item.(map[string]any)
		meta, summary := object["metadata"].(map[string]any), object["summary"].(map[string]any)
		all[meta["name"].(string)] = fmt.Sprintf("%v/%v/%v/%v/%v %v", summary["pass"], summary["fail"], summary["warn"], summary["error"], summary["skip"], meta["resourceVersion"])
	}
	return all
}

// TestServerTakesReports writes reports of both kinds: the API server takes them, what says
// the same stays untouched, and what is gone goes.
func TestServerTakesReports(t *testing.T) {
	s := needServer(t, "")
	s.namespace("reported")
	for _, k := range policyreport.Kinds {
		o := Options{Namespace: "reported", WriteReports: k.Name}
		audit := func() map[string]string {
			t.Helper()
			if r, _ := s.audit(o); len(r.Problems) > 0 {
				t.Fatal(r.Problems)
			}
			return s.reports(k, "reported")
		}
		s.put(ready("reported", "a"))
		s.put(stalled("reported", "b"))
		first := audit()
		if len(first) != 2 || !strings.HasPrefix(first["flux-remedy-a"], "1/0/0/0/0 ") || !strings.HasPrefix(first["flux-remedy-b"], "0/1/1/0/0 ") {
			t.Errorf("%v", first)
		}
		if again := audit(); fmt.Sprint(again) != fmt.Sprint(first) {
			t.Errorf("%v, before %v", again, first)
		}
		if s.audit(Options{Namespace: "default", WriteReports: k.Name}); len(s.reports(k, "reported")) != 2 {
			t.Error("reports of a namespace that was not looked at are gone")
		}
		s.put(ready("reported", "b"))
		changed := audit()
		if changed["flux-remedy-a"] != first["flux-remedy-a"] || !strings.HasPrefix(changed["flux-remedy-b"], "1/0/0/0/0 ") {
			t.Errorf("%v, before %v", changed, first)
		}
		s.remove(releasePath("reported", "b"))
		if last := audit(); len(last) != 1 || last["flux-remedy-a"] != first["flux-remedy-a"] {
			t.Errorf("%v", last)
		}
		s.remove(releasePath("reported", "a"))
		if last := audit(); len(last) != 0 {
			t.Errorf("%v", last)
		}
	}
}

// component returns the objects of the component audit, with where they are applied.
func component(t *testing.T) map[string]map[string]any {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), "../../../../../manifests/overlays/audit")
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{
		"Namespace": "/api/v1/namespaces", "ServiceAccount": "/api/v1/namespaces/flux-remedy/serviceaccounts", "ConfigMap": "/api/v1/namespaces/flux-remedy/configmaps",
		"ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles", "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
		"CronJob": "/apis/batch/v1/namespaces/flux-remedy/cronjobs",
	}
	all := map[string]map[string]any{}
	for _, resource := range built.Resources() {
		object, err := resource.Map()
		if err != nil {
			t.Fatal(err)
		}
		all[paths[resource.GetKind()]+"/"+resource.GetName()] = object
	}
	return all
}

const roleName = "/apis/rbac.authorization.k8s.io/v1/clusterroles/flux-remedy-audit"

// TestServerRights runs the audit with the rights of the component: they are enough, and
// without each of them it says which one is missing.
func TestServerRights(t *testing.T) {
	s := needServer(t, "flux-remedy:flux-remedy-audit")
	objects := component(t)
	s.namespace("flux-remedy")
	for path, object := range objects {
		s.must(path, object)
	}
	s.namespace("rights")
	s.must("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/kustomizations.kustomize.toolkit.fluxcd.io", kustomizations)
	role := objects[roleName]
	o := Options{WriteReports: "openreports"}
	// prepare leaves one report to write, one to change and one to delete.
	prepare := func() {
		s.put(ready("rights", "a"))
		s.put(ready("rights", "b"))
		s.remove("/apis/openreports.io/v1alpha1/namespaces/rights/reports/flux-remedy-a")
		for _, name := range []string{"b", "gone"} {
			s.must("/apis/openreports.io/v1alpha1/namespaces/rights/reports/flux-remedy-"+name, printed(t, policyreport.Kinds[0], "rights", name))
		}
	}
	// until waits for the API server's own look at the rights.
	until := func(what string, try func(overview.Report) bool) {
		t.Helper()
		var r overview.Report
		for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); {
			prepare()
			if r, _ = s.audit(o); try(r) {
				return
			}
		}
		t.Fatalf("%s: problems %q", what, r.Problems)
	}
	until("all rights", func(r overview.Report) bool { return len(r.Problems) == 0 && len(r.Releases) >= 2 })
	if got := s.reports(policyreport.Kinds[0], "rights"); len(got) != 2 {
		t.Errorf("%v", got)
	}
	taken := 0
	for i, rule := range role["rules"].([]any) {
		of := rule.(map[string]any)
		resource, verbs := of["resources"].([]any)[0].(string), of["verbs"].([]any)
		for j, verb := range verbs {
			fewer := map[string]any{"apiGroups": of["apiGroups"], "resources": of["resources"], "verbs": slices.Delete(slices.Clone(verbs), j, j+1)}
			if len(verbs) == 1 {
				fewer["verbs"] = []any{"watch"}
			}
			changed := map[string]any{"apiVersion": role["apiVersion"], "kind": role["kind"], "metadata": map[string]any{"name": "flux-remedy-audit"}}
			rules := slices.Clone(role["rules"].([]any))
			rules[i] = fewer
			changed["rules"] = rules
			s.must(roleName, changed)
			until(fmt.Sprintf("without %s %s", verb, resource), func(r overview.Report) bool {
				if resource == "kustomizations" { // it is optional
					return len(r.Problems) == 0 && len(r.Clusters) == 1 && r.Clusters[0].Unfollowed
				}
				return len(r.Problems) > 0 && strings.Contains(r.Problems[0], fmt.Sprintf("cannot %s resource %q", verb, resource)) && strings.Contains(r.Problems[0], "docs/")
			})
			taken++
		}
	}
	s.must(roleName, role)
	if taken != 7 {
		t.Errorf("%d rights were taken, want 7", taken)
	}
}

// kustomizations is a definition under which they can be listed.
var kustomizations = map[string]any{
	"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "kustomizations.kustomize.toolkit.fluxcd.io"},
	"spec": map[string]any{
		"group": "kustomize.toolkit.fluxcd.io", "scope": "Namespaced", "names": map[string]any{"kind": "Kustomization", "plural": "kustomizations"},
		"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object"}}}},
	},
}

// TestServerNotesWhoDrifts applies a release as Flux does, and edits it as others do.
func TestServerNotesWhoDrifts(t *testing.T) {
	s := needServer(t, "")
	s.namespace("drift")
	object := ready("drift", "a")
	written := map[string]any{"metadata": object["metadata"], "spec": normal(object["spec"])}
	path := releasePath("drift", "a")
	delete(object, "status")
	object["metadata"] = map[string]any{"name": "a"}
	if answer, code := s.do(http.MethodPatch, path+"?fieldManager=kustomize-controller", "application/apply-patch+yaml", object); code >= 300 {
		t.Fatal(answer)
	}
	tree := &effective.Tree{Releases: []*effective.Release{{Release: &release.Release{Namespace: "drift", Name: "a", Tier: release.Production, Cluster: "one", Object: written}}}}
	drift := func() []string {
		t.Helper()
		r, _ := s.audit(Options{Namespace: "drift", Repo: tree})
		if len(r.Problems) > 0 || len(r.Releases) != 1 || len(r.Missing) > 0 {
			t.Fatalf("%+v", r)
		}
		var all []string
		for _, d := range r.Releases[0].Drift {
			all = append(all, d.Path+" "+d.Cluster+" "+strings.Join(d.By, ","))
		}
		return all
	}
	if got := drift(); len(got) > 0 {
		t.Errorf("nothing has drifted, and yet %q", got)
	}
	edit := map[string]any{"spec": map[string]any{"suspend": true, "interval": "2h", "values": map[string]any{"text": "secret"}}}
	if answer, code := s.do(http.MethodPatch, path+"?fieldManager=kubectl-edit", "application/merge-patch+json", edit); code >= 300 {
		t.Fatal(answer)
	}
	want := []string{"spec.interval 2h kubectl-edit", "spec.suspend true kubectl-edit", "spec.values.text  kubectl-edit"}
	if got := drift(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestServerSendsNoSecrets reads the labels of Helm's records, and nothing of their content
// leaves the API server but what says what an uninstall that is ahead deletes.
func TestServerSendsNoSecrets(t *testing.T) {
	s := needServer(t, "")
	s.namespace("stored")
	s.put(ready("stored", "a"))
	labels := map[string]any{"owner": "helm", "name": "shop", "status": "pending-upgrade", "version": "2", "createdAt": "1767300000"}
	s.must("/api/v1/namespaces/stored/secrets/sh.helm.release.v1.shop.v2", map[string]any{
		"apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1", "metadata": map[string]any{"name": "sh.helm.release.v1.shop.v2", "labels": labels},
		"data": map[string]any{"release": "YmF0dGVyeS1zdGFwbGU="},
	})
	r, _ := s.audit(Options{Namespace: "stored", HelmStorage: true})
	if len(r.Problems) > 0 || len(r.Releases) != 1 || r.Releases[0].Pending != "pending-upgrade" || r.Releases[0].Phase != overview.Interrupted {
		t.Errorf("%q %+v", r.Problems, r.Releases)
	}
	// One that is stored elsewhere is found there.
	s.namespace("elsewhere")
	away := ready("stored", "away")
	away["status"].(map[string]any)["storageNamespace"] = "elsewhere"
	away["status"].(map[string]any)["history"] = []any{}
	s.put(away)
	labels["name"] = "away"
	s.must("/api/v1/namespaces/elsewhere/secrets/sh.helm.release.v1.away.v2", map[string]any{
		"apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1", "metadata": map[string]any{"name": "sh.helm.release.v1.away.v2", "labels": labels},
	})
	r, requests := s.audit(Options{Namespace: "stored", HelmStorage: true})
	if len(r.Problems) > 0 || len(r.Releases) != 2 || r.Releases[0].Pending != "pending-upgrade" || r.Releases[1].Pending != "pending-upgrade" {
		t.Errorf("%q %+v, asked %q", r.Problems, r.Releases, requests)
	}
	if strings.Contains(s.sent(), "YmF0dGVyeS1zdGFwbGU") || !strings.Contains(s.sent(), "sh.helm.release.v1.shop.v2") {
		t.Error("the content of a Secret was sent")
	}
	// Of one that may be uninstalled the record says what that deletes.
	stuck := stalled("stored", "stuck")
	stuck["spec"].(map[string]any)["upgrade"] = map[string]any{"remediation": map[string]any{"retries": 1, "strategy": "uninstall"}}
	stuck["status"].(map[string]any)["history"] = []any{snapshotOf(3, "failed", "2.0.0")}
	s.put(stuck)
	labels["name"], labels["status"], labels["version"] = "shop", "failed", "3"
	s.must("/api/v1/namespaces/stored/secrets/sh.helm.release.v1.shop.v3", map[string]any{
		"apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1", "metadata": map[string]any{"name": "sh.helm.release.v1.shop.v3", "labels": labels},
		"data": map[string]any{"release": recordOf(t, `{"config": {"password": "correct-horse"}, "manifest": "kind: PersistentVolumeClaim\nmetadata: {name: data}"}`)},
	})
	r, _ = s.audit(Options{Namespace: "stored", HelmStorage: true})
	text, err := json.Marshal(r)
	if err != nil || len(r.Problems) > 0 || bytes.Count(text, []byte(`"deletes":"deletes PersistentVolumeClaim data"`)) != 1 || bytes.Contains(text, []byte("correct-horse")) {
		t.Errorf("%v %s", err, text)
	}
	if strings.Contains(s.sent(), "YmF0dGVyeS1zdGFwbGU") {
		t.Error("the record of a release that is not uninstalled was sent")
	}
}

// recordOf returns a record as the Secret of Helm has it.
func recordOf(t *testing.T, text string) string {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString(packed.Bytes())))
}
