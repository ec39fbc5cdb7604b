package doctor

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// TestVersions examines API servers that serve old versions, or none.
func TestVersions(t *testing.T) {
	for versions, want := range map[string]string{
		"v2":              "",
		"v2,v2beta2":      "still serves helm.toolkit.fluxcd.io/v2beta2",
		"v2,v2beta1,v9":   "still serves helm.toolkit.fluxcd.io/v2beta1",
		"v3,v4":           "only in versions that the webhook does not know",
		"":                "serves no helm.toolkit.fluxcd.io",
		"v2beta1,v2beta2": "v2beta1\nthe API server still serves",
	} {
		api, err := kubernetes.NewForConfig(&rest.Config{Host: serving(t, versions)})
		if err != nil {
			t.Fatal(err)
		}
		fine, err := Installation{}.versions(t.Context(), api)
		got := strings.Join(problems(err), "\n")
		if !strings.Contains(strings.ReplaceAll(got, ": what is applied in it loses spec.install.strategy and spec.upgrade.strategy; write releases in v2 and update the CRDs of Flux", ""), want) || (want == "") != (got == "") {
			t.Errorf("%s: %q, %q, want %q", versions, fine, got, want)
		}
	}
}

// serving returns the address of an API server that serves these versions of HelmRelease.
func serving(t *testing.T, versions string) string {
	t.Helper()
	var groups string
	if versions != "" {
		var all []string
		for version := range strings.SplitSeq(versions, ",") {
			all = append(all, fmt.Sprintf(`{"groupVersion":"helm.toolkit.fluxcd.io/%[1]s","version":"%[1]s"}`, version))
		}
		groups = fmt.Sprintf(`{"name":"helm.toolkit.fluxcd.io","versions":[%s]}`, strings.Join(all, ","))
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/apis" {
			fmt.Fprintf(w, `{"kind":"APIGroupList","apiVersion":"v1","groups":[%s]}`, groups)
			return
		}
		fmt.Fprint(w, `{"kind":"APIVersions","versions":["v1"]}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}
