package effective

import (
	"strings"
	"testing"
)

// If the API server refuses a Kustomization, its releases are undetermined: the cluster
// keeps the former ones.
func TestRefused(t *testing.T) {
	const release = "-- apps/app.yaml --\n"
	app := releaseOf("app")
	for name, c := range map[string]struct{ spec, app, want string }{
		"accepted":             {"", app, ""},
		"field in no API":      {"  patchs: []\n", app, `prod: Kustomization flux-system/apps has the field spec.patchs, which is misspelt, or newer than this program`},
		"no duration":          {"  timeout: 5 min\n", app, `prod: Kustomization flux-system/apps is refused by the API server: spec.timeout is no duration such as 5m`},
		"number to substitute": {"  postBuild: {substitute: {A: 5}}\n", app, `prod: Kustomization flux-system/apps is refused by the API server: spec.postBuild.substitute.A is no text: put its value in quotes`},
		"bool to substitute":   {"  postBuild: {substitute: {B: x, A: true}}\n", app, `prod: Kustomization flux-system/apps is refused by the API server: spec.postBuild.substitute.A is no text: put its value in quotes`},
		"null to substitute":   {"  postBuild: {substitute: {A: }}\n", app, `prod: Kustomization flux-system/apps is refused by the API server: spec.postBuild.substitute.A is no text`},
		"list to substitute":   {"  postBuild: {substitute: {A: [x]}}\n", app, `prod: Kustomization flux-system/apps is refused by the API server: spec.postBuild.substitute.A is no text`},
		"text to substitute":   {"  postBuild: {substitute: {A: \"5\"}}\n", app, ""},
		"number for a text":    {"  targetNamespace: 5\n", app, `prod: Kustomization flux-system/apps is refused by the API server: spec.targetNamespace is no text: put its value in quotes`},
		"value not known":      {"  timeout: ${X}\n", app, `prod: Kustomization flux-system/apps is refused by the API server: spec.timeout is no duration such as 5m`},
		"no apiVersion":        {"", strings.Replace(app, "apiVersion: helm.toolkit.fluxcd.io/v2\n", "", 1), `prod: Kustomization flux-system/apps has HelmRelease app without an apiVersion, which no cluster takes`},
		"wrong group":          {"", strings.Replace(app, "helm.toolkit", "helms.toolkit", 1), `prod: Kustomization flux-system/apps has HelmRelease app with the apiVersion "helms.toolkit.fluxcd.io/v2", which there is not`},
		"newer HelmRelease":    {"", strings.Replace(app, "fluxcd.io/v2", "fluxcd.io/v3", 1), ""},
		"newer kind of source": {"", app + "---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: Torrent\nmetadata: {name: x}\n", `prod: Kustomization flux-system/apps has "Torrent" x with the apiVersion "source.toolkit.fluxcd.io/v1", which is misspelt, or newer than this program`},
		"another HelmRelease":  {"", "apiVersion: helm.fluxcd.io/v1\nkind: HelmRelease\nmetadata: {name: old}\n", ""},
	} {
		dir := write(t, clusterOf("prod")+applying("clusters/prod/apps.yaml", "apps", "apps", c.spec)+release+c.app)
		tree := load(t, dir, Options{})
		var got []string
		for _, u := range tree.Undetermined {
			if u.Release == "" {
				got = append(got, u.Cluster+": "+u.Reason)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: undetermined %q, want %q", name, got, c.want)
		}
		if refused := strings.Contains(c.want, "refused"); refused && len(tree.Releases) > 0 {
			t.Errorf("%s: releases %q are judged", name, inClusters(tree))
		}
	}
}
