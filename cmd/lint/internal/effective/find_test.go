package effective

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

const (
	fromSettings = "  postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}\n"
	timed        = "-- apps/app.yaml --\n" + `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app, namespace: apps}
spec: {interval: 1h, timeout: "${timeout}", chartRef: {kind: OCIRepository, name: app}}
`
)

func settingsIn(file, timeout string) string {
	return "-- " + file + " --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\n" +
		"data: {timeout: " + timeout + "}\n"
}

// timeouts returns cluster=timeout of each release, with ? for an unknown one.
func timeouts(tree *Tree) string {
	var out []string
	for _, r := range tree.Releases {
		timeout, _ := r.Object["spec"].(map[string]any)["timeout"].(string)
		if len(r.Unknown) > 0 {
			timeout = "?"
		}
		out = append(out, r.Cluster+"="+timeout)
	}
	return strings.Join(out, " ")
}

// Variables come from the objects of the cluster. An object that nothing applies is
// used, as applied by hand, only if there is no doubt which one it is.
func TestVariablesThatNothingApplies(t *testing.T) {
	prod := clusterOf("prod") + applying("clusters/prod/apps.yaml", "apps", "apps", fromSettings) + timed
	unknownApplier := applying("clusters/prod/apps.yaml", "apps", "apps", fromSettings) + timed
	for name, c := range map[string]struct{ archive, want string }{
		"the only one":             {prod + settingsIn("bootstrap/settings.yaml", "5m"), "prod=5m"},
		"one of two":               {prod + settingsIn("bootstrap/a.yaml", "5m") + settingsIn("bootstrap/b.yaml", "9m"), "prod=?"},
		"of another cluster":       {prod + clusterOf("staging") + settingsIn("clusters/staging/sub/settings.yaml", "9m"), "prod=?"},
		"hidden":                   {prod + settingsIn(".archive/settings.yaml", "9m"), "prod=?"},
		"applied to another first": {prod + clusterOf("dev") + applying("clusters/dev/s.yaml", "s", "settings/dev") + settingsIn("settings/dev/s.yaml", "9m"), "prod=?"},
		"applied to another later": {prod + clusterOf("staging") + applying("clusters/staging/s.yaml", "s", "settings/staging") + settingsIn("settings/staging/s.yaml", "9m"), "prod=?"},
		"applied elsewhere":        {prod + clusterOf("hub") + applying("clusters/hub/s.yaml", "s", "settings", remoteCluster("a")) + settingsIn("settings/s.yaml", "9m"), "prod=?"},
		"no entry, beside":         {unknownApplier + settingsIn("clusters/prod/settings.yaml", "5m"), "prod=5m"},
		"no entry, same file":      {applying("clusters/prod/apps.yaml", "apps", "apps", fromSettings, "---\n"+strings.SplitN(settingsIn("", "5m"), "\n", 2)[1]) + timed, "prod=5m"},
		"no entry, below":          {unknownApplier + settingsIn("clusters/prod/vars/settings.yaml", "5m"), "prod=5m"},
		"no entry, two below":      {unknownApplier + settingsIn("clusters/prod/a.yaml", "5m") + settingsIn("clusters/prod/b.yaml", "9m"), "prod=?"},
		"no entry, elsewhere":      {unknownApplier + settingsIn("clusters/settings.yaml", "9m"), "prod=?"},
		"no entry, another":        {unknownApplier + settingsIn("clusters/staging/settings.yaml", "9m"), "prod=?"},
	} {
		if got := timeouts(load(t, write(t, c.archive), Options{})); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// Each kubeConfig is a cluster of its own, even if two Secrets have the same name.
func TestRemoteClustersWithTheSameKubeconfig(t *testing.T) {
	dir := write(t, clusterOf("hub")+
		strings.ReplaceAll(applying("clusters/hub/a.yaml", "a", "a", remoteCluster("kubeconfig")), "namespace: flux-system}", "namespace: staging}")+
		applying("clusters/hub/b.yaml", "b", "b", "  kubeConfig: {secretRef: {name: kubeconfig, key: dev}}\n")+
		applying("clusters/hub/c.yaml", "c", "c", "  kubeConfig: {secretRef: {name: kubeconfig, key: value.yaml}}\n")+
		"-- a/ns.yaml --\napiVersion: v1\nkind: Namespace\nmetadata: {name: apps, labels: {flux-remedy.io/tier: staging}}\n"+
		"-- a/app.yaml --\n@app\n-- b/app.yaml --\n@app\n-- c/app.yaml --\n@app\n")
	var got []string
	config := &rules.Config{Spec: rules.ConfigSpec{TierMarkers: release.AllowMarkers}}
	for _, r := range load(t, dir, Options{Config: config}).Releases {
		got = append(got, r.Cluster+"="+string(r.Tier))
	}
	want := "hub/kubeconfig=production hub/kubeconfig:dev=development hub/kubeconfig@staging=staging"
	if strings.Join(got, " ") != want {
		t.Errorf("releases %q, want %q", got, want)
	}
}

// The tier of a remote cluster comes from its own name, and only then from the hub.
func TestTierOfRemoteCluster(t *testing.T) {
	hub := strings.ReplaceAll(clusterOf("dev"), "spec:\n", "spec:\n  postBuild: {substitute: {ENVIRONMENT: dev}}\n")
	for name, want := range map[string]string{
		"prod-eu": "production by cluster name dev/prod-eu",
		"eu":      "development by cluster folder of the hub clusters/dev",
	} {
		dir := write(t, hub+applying("clusters/dev/remote.yaml", "remote", "apps", remoteCluster(name))+"-- apps/app.yaml --\n@app\n")
		for _, r := range load(t, dir, Options{}).Releases {
			if got := string(r.Tier) + " by " + r.TierFrom; got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
}

// The gates are those of the FluxInstance that is applied to the same cluster.
func TestInstanceOfRemoteCluster(t *testing.T) {
	const gate = "DefaultToRetryOnFailure=true"
	instance := strings.Replace(fluxInstance("flux/instance.yaml", "x", gate), `  sync: {kind: GitRepository, url: "https://example.com/acme/fleet.git", ref: main, path: x}`+"\n", "", 1)
	for name, c := range map[string]struct{ archive, want string }{
		"remote cluster": {applying("clusters/hub/flux.yaml", "flux", "flux", remoteCluster("a")), "hub:false hub/a:true"},
		"hub":            {applying("clusters/hub/flux.yaml", "flux", "flux"), "hub:true hub/a:false"},
	} {
		dir := write(t, clusterOf("hub")+"-- clusters/hub/app.yaml --\n@app\n-- apps/app.yaml --\n@app\n"+instance+
			applying("clusters/hub/apps.yaml", "apps", "apps", remoteCluster("a"))+c.archive)
		var got []string
		for _, r := range load(t, dir, Options{}).Releases {
			got = append(got, fmt.Sprintf("%s:%v", r.Cluster, r.Controller.Gates.DefaultToRetryOnFailure()))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: gate %q, want %q", name, got, c.want)
		}
	}
}
