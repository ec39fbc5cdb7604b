package effective

import (
	"strings"
	"testing"
)

// entryFor returns the file that flux bootstrap writes in a folder, as txtar, with
// another spec.path.
func entryFor(dir, where string) string {
	return strings.Replace(strings.ReplaceAll(clusterOf("x"), "-- clusters/x/", "-- "+dir+"/"), "./clusters/x", where, 1)
}

func fluxInstance(file, where, gates string) string {
	return "-- " + file + " --\n" + `apiVersion: fluxcd.controlplane.io/v1
kind: FluxInstance
metadata: {name: flux, namespace: flux-system}
spec:
  distribution: {version: 2.8.x, registry: ghcr.io/fluxcd}
  sync: {kind: GitRepository, url: "https://example.com/acme/fleet.git", ref: main, path: ` + where + `}
  kustomize:
    patches:
      - target: {kind: Deployment, name: helm-controller}
        patch: '[{"op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": "--feature-gates=` + gates + `"}]'
`
}

// Clusters have distinct names, whatever else is in the tree.
func TestClusterNames(t *testing.T) {
	const app = "-- base/app.yaml --\n@app\n"
	for name, c := range map[string]struct{ archive, want string }{
		"one base":         {entryFor("clusters/a", "./base") + entryFor("clusters/b", "./base") + app, "a/app b/app"},
		"one of one base":  {entryFor("clusters/a", "./base") + app, "a/app"},
		"one telling base": {entryFor("clusters/a", "./common") + entryFor("clusters/b", "./common") + "-- common/app.yaml --\n@app\n", "a/app b/app"},
		"same last folder": {entryFor("eu/prod", "./eu/prod") + "-- eu/prod/app.yaml --\n@app\n" + entryFor("us/prod", "./us/prod") + "-- us/prod/app.yaml --\n@app\n", "eu/prod/app us/prod/app"},
		"roots of artifacts": {entryFor("eu/clusters/prod", "./clusters/prod") + "-- eu/clusters/prod/app.yaml --\n@app\n" +
			entryFor("us/clusters/prod", "./clusters/prod") + "-- us/clusters/prod/app.yaml --\n@app\n", "eu/clusters/prod/app us/clusters/prod/app"},
		"instance and its copy":  {fluxInstance("bootstrap/flux.yaml", "base", "X=true") + fluxInstance("flux/instance.yaml", "base", "X=true") + app, "base/app"},
		"instances that differ":  {fluxInstance("clusters/a/flux.yaml", "base", "DefaultToRetryOnFailure=true") + fluxInstance("clusters/b/flux.yaml", "base", "X=true") + app, "a/app b/app"},
		"instance and bootstrap": {entryFor("clusters/a", "./base") + fluxInstance("clusters/a/operator/flux.yaml", "base", "X=true") + app, "a/app"},
		"no entry, two folders": {
			applying("a/prod/apps.yaml", "apps", "base") + applying("a/prod/flux-system/more.yaml", "more", "more") + app + "-- more/app.yaml --\n@more\n",
			"prod/app prod/more",
		},
		"no entry": {applying("eu/prod/apps.yaml", "apps", "base") + applying("us/prod/apps.yaml", "apps", "base") + app, "eu/prod/app us/prod/app"},
	} {
		tree := load(t, write(t, c.archive), Options{})
		if got := inClusters(tree); got != c.want {
			t.Errorf("%s: %q, want %q; undetermined %q", name, got, c.want, undetermined(tree))
		}
	}
}
