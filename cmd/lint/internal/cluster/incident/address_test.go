package incident

import (
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// TestCommand: each command acts on the cluster that was read, whatever its program and
// whatever the context is called.
func TestCommand(t *testing.T) {
	const (
		reset  = "flux reconcile helmrelease NAME --reset"
		remove = "helm uninstall shop -n apps, then " + reset
	)
	for _, c := range []struct {
		to       Address
		remote   bool
		do, want string
	}{
		{Address{}, false, reset, "flux reconcile helmrelease shop -n apps --reset"},
		{Address{Context: "eu"}, false, reset, "flux reconcile helmrelease shop -n apps --reset --context eu"},
		{Address{Context: "eu"}, false, remove, "helm uninstall shop -n apps --kube-context eu, then flux reconcile helmrelease shop -n apps --reset --context eu"},
		{Address{Context: "NAME"}, false, "flux suspend helmrelease NAME, then flux resume helmrelease NAME", "flux suspend helmrelease shop -n apps --context NAME, then flux resume helmrelease shop -n apps --context NAME"},
		{Address{Kubeconfig: "/etc/kube/eu"}, false, remove, "helm uninstall shop -n apps --kubeconfig /etc/kube/eu, then flux reconcile helmrelease shop -n apps --reset --kubeconfig /etc/kube/eu"},
		{Address{Context: "arn:aws:eks:eu-west-1:1:cluster/shop", Kubeconfig: "my kube"}, false, reset, "flux reconcile helmrelease shop -n apps --reset --context arn:aws:eks:eu-west-1:1:cluster/shop --kubeconfig 'my kube'"},
		{Address{Context: "it's; reboot"}, false, "kubectl rollout restart deployment/helm-controller -n flux-system", `kubectl rollout restart deployment/helm-controller -n flux-system --context 'it'\''s; reboot'`},
		{Address{Context: "a\x1b[31m"}, false, reset, "flux reconcile helmrelease shop -n apps --reset --context CONTEXT"},
		{Address{Context: "eu"}, true, remove, "helm uninstall shop -n apps --kubeconfig KUBECONFIG, then flux reconcile helmrelease shop -n apps --reset --context eu"},
		{Address{Context: "eu"}, true, "a version that works", "a version that works"},
	} {
		r := &release.Release{Object: map[string]any{"spec": map[string]any{}}}
		r.Name, r.Namespace = "shop", "apps"
		if c.remote {
			r.Object["spec"].(map[string]any)["kubeConfig"] = map[string]any{}
		}
		if got := c.to.Command(c.do, r); got != c.want {
			t.Errorf("%+v:\n%s\nwant\n%s", c.to, got, c.want)
		}
	}
}
