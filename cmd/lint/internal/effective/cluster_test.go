package effective

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// clusterOf returns the file that flux bootstrap writes in clusters/NAME, as txtar.
func clusterOf(name string) string {
	return "-- clusters/" + name + "/flux-system/gotk-sync.yaml --\n" + `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec:
  interval: 10m
  prune: true
  path: ./clusters/` + name + `
  sourceRef: {kind: GitRepository, name: flux-system}
`
}

// applying returns a file with a Flux Kustomization flux-system/NAME that builds a
// folder, as txtar, with more fields of its spec.
func applying(file, name, dir string, spec ...string) string {
	return "-- " + file + " --\n" + `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ` + name + `, namespace: flux-system}
spec:
  interval: 10m
  prune: true
  path: ./` + dir + `
  sourceRef: {kind: GitRepository, name: flux-system}
` + strings.Join(spec, "")
}

// remoteCluster returns the field of spec that applies to another cluster.
func remoteCluster(name string) string { return "  kubeConfig: {secretRef: {name: " + name + "}}\n" }

// undetermined returns what is not known, as lines "cluster: reason".
func undetermined(tree *Tree) string {
	var out []string
	for _, u := range tree.Undetermined {
		out = append(out, u.Cluster+": "+u.Reason)
	}
	return strings.Join(out, "\n")
}

func TestSharedRemoteIsReportedForEachCluster(t *testing.T) {
	const entry = "https://github.com/example/base?ref=v1"
	dir := write(t, clusterOf("prod")+applying("clusters/prod/apps.yaml", "apps", "apps")+
		clusterOf("staging")+applying("clusters/staging/apps.yaml", "apps", "apps")+
		"-- apps/kustomization.yaml --\nresources:\n- "+entry+"\n- app.yaml\n-- apps/app.yaml --\n@app\n")
	for _, name := range []string{"prod", "staging"} {
		got := undetermined(load(t, dir, Options{Clusters: []string{name}}))
		if want := name + ": " + entry + " is not in the tree: what it holds is not known"; got != want {
			t.Errorf("undetermined of %s: %q, want %q", name, got, want)
		}
	}
}

func TestFailureBelongsToTheRemoteCluster(t *testing.T) {
	dir := write(t, clusterOf("hub")+applying("clusters/hub/apps.yaml", "apps", "nowhere", remoteCluster("prod-a")))
	tree := load(t, dir, Options{Clusters: []string{"hub/prod-a"}})
	if got, want := undetermined(tree), `hub/prod-a: Kustomization flux-system/apps cannot be built: path "./nowhere"`; !strings.HasPrefix(got, want) {
		t.Errorf("undetermined %q, want %q", got, want)
	}
	if len(tree.Undetermined) == 1 && filepath.Base(tree.Undetermined[0].File) != "apps.yaml" {
		t.Errorf("it is placed in %s", tree.Undetermined[0].File)
	}
}

// inClusters returns the releases, each as cluster/name.
func inClusters(tree *Tree) string {
	var out []string
	for _, r := range tree.Releases {
		out = append(out, r.Cluster+"/"+r.Name)
	}
	return strings.Join(out, " ")
}

// Each remote cluster has a Kustomization flux-system/apps of its own.
func TestRemoteClustersWithTheSameNames(t *testing.T) {
	dir := write(t, clusterOf("hub")+
		applying("clusters/hub/a.yaml", "a", "remote/a", remoteCluster("prod-a"))+
		applying("clusters/hub/b.yaml", "b", "remote/b", remoteCluster("prod-b"))+
		applying("remote/a/apps.yaml", "apps", "apps/a")+applying("remote/b/apps.yaml", "apps", "apps/b")+
		"-- apps/a/app.yaml --\n@one\n-- apps/b/app.yaml --\n@two\n")
	tree := load(t, dir, Options{})
	if got, want := inClusters(tree), "hub/prod-a/one hub/prod-b/two"; got != want || len(tree.Undetermined) > 0 {
		t.Errorf("releases %q, want %q; undetermined %q", got, want, undetermined(tree))
	}
}

// A remote cluster that runs Flux itself has its own flux-system, which is no cycle.
func TestRemoteClusterWithItsOwnFlux(t *testing.T) {
	dir := write(t, clusterOf("hub")+applying("clusters/hub/a.yaml", "a", "remote/a", remoteCluster("prod-a"))+
		applying("remote/a/sync.yaml", "flux-system", "remote/a")+"-- remote/a/app.yaml --\n@app\n")
	tree := load(t, dir, Options{})
	if got, want := inClusters(tree), "hub/prod-a/app"; got != want || len(tree.Undetermined) > 0 {
		t.Errorf("releases %q, want %q; undetermined %q", got, want, undetermined(tree))
	}
}

func TestSameKustomizationWithOtherSettings(t *testing.T) {
	dir := write(t, clusterOf("prod")+
		applying("clusters/prod/one.yaml", "one", "one")+applying("clusters/prod/two.yaml", "two", "two")+
		applying("one/apps.yaml", "apps", "apps/a")+applying("two/apps.yaml", "apps", "apps/b")+
		"-- apps/a/app.yaml --\n@one\n-- apps/b/app.yaml --\n@two\n")
	got := undetermined(load(t, dir, Options{}))
	if want := "prod: Kustomization flux-system/apps is applied twice, with different settings"; !strings.HasPrefix(got, want) {
		t.Errorf("undetermined %q, want %q", got, want)
	}
}

// A Kustomization whose name grows each time it is applied does not run for ever.
func TestEndlessKustomizations(t *testing.T) {
	dir := write(t, clusterOf("prod")+applying("clusters/prod/apps.yaml", "a", "apps", "  postBuild: {substitute: {X: a}}\n")+
		applying("apps/next.yaml", "'${X}a'", "apps", "  postBuild: {substitute: {X: \"${X}a\"}}\n"))
	got := undetermined(load(t, dir, Options{}))
	if want := "is applied by a chain of more than 32 Kustomizations"; !strings.Contains(got, want) {
		t.Errorf("undetermined %q, want %q", got, want)
	}
}

// Variables in the folder of another cluster are not used.
func TestVariablesOfAnotherCluster(t *testing.T) {
	settings := "  postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}\n"
	const values = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\ndata: {timeout: 5m}\n"
	for file, want := range map[string]string{
		"clusters/staging/settings/values.yaml": "prod: spec.timeout depends on the variable timeout: ConfigMap flux-system/settings is in clusters/staging/settings/values.yaml, but not in what is applied to this cluster",
		"shared/values.yaml":                    "",
	} {
		dir := write(t, clusterOf("prod")+applying("clusters/prod/apps.yaml", "apps", "apps", settings)+
			clusterOf("staging")+"-- "+file+" --\n"+values+
			"-- apps/app.yaml --\n@app\n")
		app := filepath.Join(dir, "apps", "app.yaml")
		if err := os.WriteFile(app, []byte(releaseOf("app")+"  timeout: ${timeout}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range load(t, dir, Options{}).Releases {
			for _, u := range r.Unknown {
				got += r.Cluster + ": " + u.Path.String() + " " + u.Reason
			}
		}
		if got != want {
			t.Errorf("with %s unknown %q, want %q", file, got, want)
		}
	}
}
