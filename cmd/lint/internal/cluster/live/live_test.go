package live

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
)

func helmRelease(namespace, name string) map[string]any {
	return map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"namespace": namespace, "name": name, "managedFields": []any{map[string]any{"manager": "x"}}},
		"spec":     map[string]any{"interval": "1h", "values": map[string]any{"password": "secret"}},
	}
}

// access returns that of a kubeconfig with one context.
func access(t *testing.T, server *livetest.Server) Access {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := livetest.Kubeconfig(file, "production", map[string]*livetest.Server{"production": server}); err != nil {
		t.Fatal(err)
	}
	return Access{Kubeconfig: file}
}

func opened(t *testing.T, server *livetest.Server) *Cluster {
	t.Helper()
	c, err := access(t, server).Open()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// names returns what a list holds.
func names(t *testing.T, c *Cluster, namespace, name string) ([]string, error) {
	t.Helper()
	var all []string
	for object, err := range c.Releases(t.Context(), namespace, name) {
		if err != nil {
			return all, err
		}
		if text := fmt.Sprint(object); strings.Contains(text, "secret") || strings.Contains(text, "manager:") {
			t.Errorf("values or managed fields are kept: %s", text)
		}
		meta := object["metadata"].(map[string]any)
		all = append(all, fmt.Sprintf("%s/%s", meta["namespace"], meta["name"]))
	}
	return all, nil
}

func TestReleases(t *testing.T) {
	server := livetest.New(t, helmRelease("apps", "a"), helmRelease("apps", "b"), helmRelease("data", "c"), helmRelease("data", "d"), helmRelease("data", "e"))
	server.Page = 2
	c := opened(t, server)
	if c.Name != "production" || c.Namespace != "apps" {
		t.Errorf("%s, %s", c.Name, c.Namespace)
	}
	for _, want := range []struct{ namespace, name, all string }{
		{"", "", "apps/a apps/b data/c data/d data/e"},
		{"data", "", "data/c data/d data/e"},
		{"data", "d", "data/d"},
		{"data", "a", ""},
		{"other", "", ""},
	} {
		got, err := names(t, c, want.namespace, want.name)
		if all := strings.Join(got, " "); all != want.all || err != nil {
			t.Errorf("%s/%s: %s, %v, want %s", want.namespace, want.name, all, err, want.all)
		}
	}
}

// An API server that takes the connection and says nothing is given up.
func TestSilent(t *testing.T) {
	server, over := livetest.New(t), make(chan struct{})
	server.Before = func(http.ResponseWriter, *http.Request) bool {
		<-over
		return true
	}
	c := opened(t, server)
	c.patience = 10 * time.Millisecond
	_, err := names(t, c, "apps", "")
	close(over)
	if err == nil || !strings.Contains(err.Error(), "ask cluster production (127.0.0.1:") || !strings.HasSuffix(err.Error(), "no answer within 10ms: is it up, and is the way to it free?") {
		t.Error(err)
	}
}

// A list that has grown too old goes on where it was.
func TestExpired(t *testing.T) {
	server := livetest.New(t, helmRelease("apps", "a"), helmRelease("apps", "b"), helmRelease("apps", "c"))
	server.Page = 1
	expired := false
	server.Before = func(w http.ResponseWriter, r *http.Request) bool {
		next := r.URL.Query().Get("continue")
		if next == "" || expired {
			return false
		}
		expired = true
		w.WriteHeader(http.StatusGone)
		fmt.Fprintf(w, `{"code": 410, "reason": "Expired", "metadata": {"continue": %q}}`, next+"-") // sorts behind it, before the next
		return true
	}
	got, err := names(t, opened(t, server), "", "")
	if err != nil || !expired || len(got) < 2 || got[len(got)-1] != "apps/c" {
		t.Errorf("%v, %v", got, err)
	}
	server.Before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("continue") != "" {
			livetest.Refuse(w, http.StatusGone, "Expired", "too old")
			return true
		}
		return false
	}
	if got, err := names(t, opened(t, server), "", ""); !Is(err, http.StatusGone) {
		t.Errorf("%v, %v", got, err)
	}
}

// What a cluster refuses is said, with the cluster; what it cannot do now is tried again.
func TestRefused(t *testing.T) {
	server := livetest.New(t)
	c := opened(t, server)
	if _, err := names(t, c, "", ""); !errors.Is(err, ErrNoKind) {
		t.Errorf("without CRD: %v", err)
	}
	server = livetest.New(t, helmRelease("apps", "a"))
	busy := 3
	server.Before = func(w http.ResponseWriter, r *http.Request) bool {
		if busy > 0 {
			busy--
			w.Header().Set("Retry-After", "0")
			livetest.Refuse(w, http.StatusTooManyRequests, "TooManyRequests", "later")
			return true
		}
		if strings.HasSuffix(r.URL.Path, "/helmreleases") {
			livetest.Refuse(w, http.StatusForbidden, "Forbidden", `helmreleases is forbidden: User "x" cannot list`)
			return true
		}
		return false
	}
	_, err := names(t, opened(t, server), "", "")
	if !Is(err, http.StatusForbidden) || !strings.Contains(err.Error(), `ask cluster production (127.0.0.1`) || !strings.Contains(err.Error(), `User "x" cannot list`) {
		t.Error(err)
	}
	server.Before = func(w http.ResponseWriter, _ *http.Request) bool {
		fmt.Fprint(w, `<html>a proxy</html>`)
		return true
	}
	if _, err := names(t, opened(t, server), "", ""); err == nil || !strings.Contains(err.Error(), "read the answer to GET /apis/helm.toolkit.fluxcd.io") {
		t.Error(err)
	}
}

// Releases are read where Kustomizations are not, whatever the reason; it is said.
func TestUnlisted(t *testing.T) {
	kustomization := map[string]any{
		"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
		"metadata": map[string]any{"namespace": "flux-system", "name": "apps"},
	}
	for status, want := range map[int]string{
		http.StatusForbidden:           "the account may not list Kustomizations",
		http.StatusNotFound:            "",
		http.StatusInternalServerError: "cluster production",
	} {
		server := livetest.New(t, helmRelease("apps", "a"), kustomization)
		server.Before = func(w http.ResponseWriter, r *http.Request) bool {
			asked := strings.HasSuffix(r.URL.Path, "/kustomizations")
			if asked {
				livetest.Refuse(w, status, http.StatusText(status), "not now")
			}
			return asked
		}
		found, err := access(t, server).Releases(t.Context(), "apps", "a", false)
		if err != nil || len(found.Objects) != 1 || len(found.Kustomizations) != 0 {
			t.Errorf("status %d: %v, %v", status, found.Objects, err)
		}
		if got := fmt.Sprint(found.Unlisted); (found.Unlisted == nil) != (want == "") || !strings.Contains(got, want) {
			t.Errorf("status %d: %s, want %q", status, got, want)
		}
	}
}

// An answer that is no list, or a list without an end, is no empty cluster.
func TestNoList(t *testing.T) {
	for want, answer := range map[string]string{
		"the answer is no list": `{"kind": "Table"}`,
		"where it has been":     `{"metadata": {"continue": "x"}, "items": []}`,
	} {
		server := livetest.New(t, helmRelease("apps", "a"))
		server.Before = func(w http.ResponseWriter, r *http.Request) bool {
			list := strings.HasSuffix(r.URL.Path, "/helmreleases")
			if list {
				fmt.Fprint(w, answer)
			}
			return list
		}
		if _, err := names(t, opened(t, server), "", ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestPatch(t *testing.T) {
	server := livetest.New(t, helmRelease("apps", "a"))
	c := opened(t, server)
	patch := map[string]any{"metadata": map[string]any{"annotations": map[string]any{"reconcile.fluxcd.io/requestedAt": "now"}}}
	object, err := c.Patch(t.Context(), HelmReleases, "apps", "a", patch)
	if err != nil || !strings.Contains(fmt.Sprint(object), "requestedAt:now") || strings.Contains(fmt.Sprint(object), "secret") {
		t.Errorf("%v, %v", object, err)
	}
	if _, err := c.Patch(t.Context(), HelmReleases, "apps", "b", patch); !Is(err, http.StatusNotFound) {
		t.Error(err)
	}
}

func TestAccess(t *testing.T) {
	server := livetest.New(t)
	a := access(t, server)
	if all, err := a.Contexts(); err != nil || strings.Join(all, " ") != "production" {
		t.Errorf("%v, %v", all, err)
	}
	a.Context = "other"
	if _, err := a.Open(); err == nil || !strings.Contains(err.Error(), `context "other" does not exist`) {
		t.Error(err)
	}
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "missing"))
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	if _, err := (Access{}).Open(); err == nil || !strings.HasPrefix(err.Error(), "no cluster is known: ") {
		t.Error(err)
	}
	if _, err := (Access{Kubeconfig: "missing"}).Open(); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Error(err)
	}
}

// A credential plugin is found by the path that the process had, and its messages are
// seen, although the process itself has neither.
func TestPlugin(t *testing.T) {
	server := livetest.New(t, helmRelease("apps", "a"))
	var token string
	server.Before = func(_ http.ResponseWriter, r *http.Request) bool {
		token = r.Header.Get("Authorization")
		return false
	}
	dir := t.TempDir()
	plugin := "#!/bin/sh\necho log in >&2\necho '{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"from-'$(basename $0)'\"}}'\n"
	if err := os.WriteFile(filepath.Join(dir, "login"), []byte(plugin), 0o755); err != nil {
		t.Fatal(err)
	}
	kubeconfig := filepath.Join(dir, "kubeconfig")
	text := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"a","contexts":[{"name":"a","context":{"cluster":"a","user":"a"}}],
		"clusters":[{"name":"a","cluster":{"server":%q,"certificate-authority-data":%q}}],
		"users":[{"name":"a","user":{"exec":{"apiVersion":"client.authentication.k8s.io/v1","command":"login","interactiveMode":"Never"}}}]}`, server.URL, base64.StdEncoding.EncodeToString(server.CA))
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	stderr, err := os.Create(filepath.Join(dir, "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	path := dir + string(filepath.ListSeparator) + os.Getenv("PATH")
	t.Setenv("PATH", "")
	c, err := Access{Kubeconfig: kubeconfig, Host: Host{Path: path, Stderr: stderr}}.Open()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := names(t, c, "", ""); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
	said, err := os.ReadFile(stderr.Name())
	if token != "Bearer from-login" || string(said) != "log in\n" || err != nil {
		t.Errorf("token %q, message %q, %v", token, said, err)
	}
	c, err = Access{Kubeconfig: kubeconfig}.Open()
	if err == nil {
		_, err = names(t, c, "", "")
	}
	if err == nil || !strings.Contains(err.Error(), "login") {
		t.Errorf("without a path: %v", err)
	}
}

// A cluster whose answer takes longer than its limit is asked nothing else, whether the answer
// does not begin, does not end, or a credential plugin hangs.
func TestLimit(t *testing.T) {
	for name, before := range map[string]func(http.ResponseWriter){
		"nothing": func(http.ResponseWriter) {},
		"a part": func(w http.ResponseWriter) {
			fmt.Fprint(w, `{"preferredVersion"`)
			w.(http.Flusher).Flush()
		},
	} {
		server := livetest.New(t, helmRelease("apps", "a"))
		server.Before = func(w http.ResponseWriter, r *http.Request) bool {
			before(w)
			<-r.Context().Done()
			return true
		}
		c := opened(t, server)
		c.limit = 500 * time.Millisecond
		_, first := names(t, c, "", "")
		_, second := names(t, c, "", "")
		if first == nil || !strings.Contains(first.Error(), "no whole answer within 500ms") || fmt.Sprint(second) != first.Error() || len(server.Requests()) > 1 {
			t.Errorf("%s: %v, then %v; %q", name, first, second, server.Requests())
		}
	}
	c := opened(t, livetest.New(t, helmRelease("apps", "a")))
	c.limit, c.http = 100*time.Millisecond, &http.Client{Transport: deaf{}}
	if _, err := names(t, c, "", ""); err == nil || !strings.Contains(err.Error(), "no whole answer within 100ms") {
		t.Error(err)
	}
}

// deaf hears of no end, as a credential plugin.
type deaf struct{}

func (deaf) RoundTrip(*http.Request) (*http.Response, error) {
	time.Sleep(2 * time.Second)
	return nil, errors.New("too late")
}
