//go:build flux

package flux

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// TestChart: helm-controller installs the chart of the webhook and of the audit as the example for
// Flux says, and then with all that needs no certificate of others, and takes it all away again.
func TestChart(t *testing.T) {
	root := filepath.Join("..", "..")
	c := Start(t, Newest, filepath.Join(root, "cmd", "webhook", "testdata"))
	c.Run(t, "helm-controller")
	s := &shop{Cluster: c, ctx: within(t, time.Minute), namespace: "flux-remedy", view: c.View(t, HelmReleases)}
	text, err := os.ReadFile(filepath.Join(root, "manifests", "flux", "flux-remedy-chart.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	chart, err := Tar(os.DirFS(filepath.Join(root, "manifests")), func(name string) bool { return strings.HasPrefix(name, "chart/") })
	if err != nil {
		t.Fatal(err)
	}
	documents := strings.Split(string(text), "\n---\n")
	s.create(t, Namespaces, "", documents[0])
	s.create(t, OCIRepositories, s.namespace, documents[1])
	s.status(t, OCIRepositories, "flux-remedy", c.Artifacts.Publish(chart, "0.0.0"))
	unawaited := strings.NewReplacer("install:\n", "install:\n    disableWait: true\n", "upgrade:\n", "upgrade:\n    disableWait: true\n", "  values:\n", "  uninstall:\n    disableWait: true\n  values:\n")
	s.create(t, HelmReleases, s.namespace, unawaited.Replace(documents[2])) // nothing runs pods here

	installed := []schema.GroupVersionResource{
		kinds["Deployment"],
		{Version: "v1", Resource: "services"},
		{Version: "v1", Resource: "serviceaccounts"},
		{Version: "v1", Resource: "configmaps"},
		{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"},
		{Group: "networking.k8s.io", Version: "v1", Resource: "networkpolicies"},
	}
	s.becomesReady(t, 1)
	for _, resource := range installed {
		if _, err := c.Resource(resource).Namespace(s.namespace).Get(s.ctx, "remedy-webhook", metav1.GetOptions{}); err != nil {
			t.Error(err)
		}
	}
	for _, resource := range []string{"validatingwebhookconfigurations", "validatingadmissionpolicies"} {
		all, err := c.Resource(schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: resource}).List(s.ctx, metav1.ListOptions{})
		if err != nil || (len(all.Items) > 0) != (resource == "validatingwebhookconfigurations") {
			t.Errorf("%s: %v %v", resource, all.Items, err)
		}
	}

	more := `{"spec":{"values":{"auditFleet":{"enabled":true},"webhook":{"config":null,"failClosed":"apps","bundle":"configmap","backstop":true,"check":true,"monitoring":true,"secureMetrics":true}}}}`
	if _, err := c.Resource(HelmReleases).Namespace(s.namespace).Patch(s.ctx, "flux-remedy", types.MergePatchType, []byte(more), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	s.becomesReady(t, 2)
	if err := c.Resource(HelmReleases).Namespace(s.namespace).Delete(s.ctx, "flux-remedy", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := s.view.Until(s.ctx, func() bool { return len(s.view.All(HelmReleases)) == 0 }); err != nil {
		t.Fatal("the release does not go")
	}
	for _, resource := range installed {
		if _, err := c.Resource(resource).Namespace(s.namespace).Get(s.ctx, "remedy-webhook", metav1.GetOptions{}); err == nil {
			t.Errorf("%s stay", resource.Resource)
		}
	}
}

// becomesReady waits until a generation of the release is ready.
func (s *shop) becomesReady(t *testing.T, generation int64) {
	t.Helper()
	s.await(t, "the release to be ready", HelmReleases, "flux-remedy", func(ready map[string]any) bool {
		return ready["status"] == "True" && ready["observedGeneration"] == generation
	})
}
