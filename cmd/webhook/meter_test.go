package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// TestMetricsAreGuarded asks for metrics without a token, with one of nobody, with one that
// may not get them, and with one that may. The webhook has the rights of the component.
func TestMetricsAreGuarded(t *testing.T) {
	c := needCluster(t)
	u := c.user(t)
	u.ownNamespace(c)
	for _, object := range build(t, "secure-metrics") {
		switch object.GetKind() {
		case "ServiceAccount", "ClusterRole", "ClusterRoleBinding":
			if _, err := u.apply(c, &object, metav1.ApplyOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("KUBECONFIG", c.kubeconfig(t, "flux-remedy", "remedy-webhook"))
	i := c.ca.start(t, "--metrics-listen=127.0.0.1:0")
	for _, want := range []struct {
		name, token string
		code        int
		text        string
	}{
		{"no token", "", http.StatusUnauthorized, "no bearer token"},
		{"a token of nobody", "abc.def.ghi", http.StatusUnauthorized, "not valid"},
		{"a token without the right", c.token(t, "stranger", false), http.StatusForbidden, "stranger may not get /metrics"},
		{"a token with the right", c.token(t, "prometheus", true), http.StatusOK, "remedy_webhook_reload_successful 1"},
	} {
		code, text := i.scrape(t, c.ca.client(), want.token)
		if code != want.code || !strings.Contains(text, want.text) {
			t.Errorf("%s: %d %.200s, want %d %s", want.name, code, text, want.code, want.text)
		}
	}
	if text, code := i.get("/metrics"); code != http.StatusNotFound {
		t.Errorf("metrics are at --manage-listen, too: %d %.80s", code, text)
	}
	i.terminate()
	i.awaitEnd()
}

// token makes a ServiceAccount, which may get metrics or not, and returns a token of it.
func (c *cluster) token(t *testing.T, name string, may bool) string {
	t.Helper()
	api, err := kubernetes.NewForConfig(c.env.Config)
	if err != nil {
		t.Fatal(err)
	}
	accounts := api.CoreV1().ServiceAccounts("default")
	if _, err := accounts.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if may {
		binding := &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "remedy-webhook-metrics-reader"},
			Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Name: name, Namespace: "default"}},
		}
		if _, err := api.RbacV1().ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	made, err := accounts.CreateToken(t.Context(), name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return made.Status.Token
}

// scrape gets the metrics with a token, or with none.
func (i *instance) scrape(t *testing.T, client *http.Client, token string) (code int, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+i.metrics+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}
