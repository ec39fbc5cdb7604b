package flux

import (
	"path/filepath"
	"strings"
	"testing"
)

// clusterOf writes what Flux was bootstrapped with in clusters/NAME.
func clusterOf(name string) string {
	return "-- clusters/" + name + "/flux-system/gotk-sync.yaml --\n" + `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec:
  path: ./clusters/` + name + `
  sourceRef: {kind: GitRepository, name: flux-system}
`
}

// applying writes a Flux Kustomization flux-system/NAME to a file, with more
// fields of its spec.
func applying(file, name, dir string, spec ...string) string {
	return "-- " + file + " --\n" + `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ` + name + `, namespace: flux-system}
spec:
  path: ./` + dir + `
  sourceRef: {kind: GitRepository, name: flux-system}
` + strings.Join(spec, "")
}

// spoke is the field that applies to another cluster.
func spoke(name string) string { return "  kubeConfig: {secretRef: {name: " + name + "}}\n" }

// undetermined gives what is not known, as cluster and reason.
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
		got := undetermined(load(t, Options{Paths: []string{dir}, Clusters: []string{name}}))
		if want := name + ": " + entry + " is not in the tree: what it holds is not known"; got != want {
			t.Errorf("undetermined of %s: %q, want %q", name, got, want)
		}
	}
}

func TestFailureBelongsToTheSpoke(t *testing.T) {
	dir := write(t, clusterOf("hub")+applying("clusters/hub/apps.yaml", "apps", "nowhere", spoke("prod-a")))
	tree := load(t, Options{Paths: []string{dir}, Clusters: []string{"hub/prod-a"}})
	if got, want := undetermined(tree), `hub/prod-a: Kustomization flux-system/apps cannot be built: path "./nowhere"`; !strings.HasPrefix(got, want) {
		t.Errorf("undetermined %q, want %q", got, want)
	}
	if len(tree.Undetermined) == 1 && filepath.Base(tree.Undetermined[0].File) != "apps.yaml" {
		t.Errorf("it is placed in %s", tree.Undetermined[0].File)
	}
}
