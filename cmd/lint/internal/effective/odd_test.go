package effective

import (
	"slices"
	"strings"
	"testing"
)

// oddParts are put together to the fleets below.
const (
	oddEntry = "-- clusters/prod/apps.yaml --\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n" +
		"metadata: {name: apps, namespace: flux-system}\nspec: {interval: 10m, path: ./apps, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}\n"
	oddRelease = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: app, namespace: apps}\n" +
		"spec: {interval: 1h, chartRef: {kind: OCIRepository, name: app}}\n"
	oddApp        = "-- apps/app.yaml --\n" + oddRelease
	oddPatch      = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: app, namespace: apps}\nspec: {timeout: 9m}\n"
	oddOperations = "- {op: add, path: /spec/timeout, value: 9m}\n"
	oddTarget     = "resources: [app.yaml]\npatches: [{path: p.yaml, target: {kind: HelmRelease}}]\n"
)

// What is written in an odd way becomes what Flux's library makes of it, or is
// said to be unknown.
func TestOddFilesEqualUpstream(t *testing.T) {
	kust := func(text string) string { return "-- apps/kustomization.yaml --\n" + text }
	patch := func(text string) string { return "-- apps/p.yaml --\n" + text }
	for name, archive := range map[string]string{
		"a directive":                   "-- apps/app.yaml --\n%YAML 1.1\n---\n" + oddRelease,
		"operations after nothing":      kust(oddTarget) + oddApp + patch("---\n---\n"+oddOperations),
		"operations twice":              kust(oddTarget) + oddApp + patch(oddOperations+"---\n"+strings.Replace(oddOperations, "9m", "8m", 1)),
		"a patch after nothing":         kust(oddTarget) + oddApp + patch("---\n---\n"+oddPatch),
		"a kustomization after nothing": kust("---\n---\nresources: [app.yaml]\n") + oddApp,
		"a kustomization, then another": kust("resources: [app.yaml]\n---\nresources: [app.yaml]\npatches: [{path: p.yaml}]\n") + oddApp + patch(oddPatch),
		"a name that is a namespace":    kust("patchesStrategicMerge: [&f prod]\nresources: [app.yaml]\nnamespace: *f\n") + oddApp + "-- apps/prod --\n" + oddPatch,
		"a name that is a prefix":       kust("patches: [{path: &f p-}]\nresources: [app.yaml]\nnamePrefix: *f\n") + oddApp + "-- apps/p- --\n" + oddPatch,
		"a patch for two":               kust("resources: [app.yaml]\npatches: [&p {path: p.yaml, target: {kind: HelmRelease}}, *p]\n") + oddApp + patch(oddPatch),
		"a file and a Patch": kust("resources: [inner]\n") + oddApp + "-- apps/inner/kustomization.yaml --\n" +
			"resources: [../app.yaml]\npatches: [{path: p.yaml, Patch: \"{}\"}]\n-- apps/inner/p.yaml --\n" + oddPatch,
		"a path and a Path":              kust("resources: [app.yaml]\npatches: [{path: p.yaml, Path: q.yaml}]\n") + oddApp + patch(oddPatch) + "-- apps/q.yaml --\n" + strings.Replace(oddPatch, "9m", "8m", 1),
		"a folder as kustomization.yaml": oddApp + "-- apps/kustomization.yaml/x --\n",
		"files without extension":        kust("resources: [app.txt]\npatches: [{path: p}]\n") + "-- apps/app.txt --\n" + oddRelease + "-- apps/p --\n" + oddPatch,
		"a large resource":               kust("resources: [app.txt]\n") + "-- apps/app.txt --\n" + oddRelease + "# " + strings.Repeat("x", 1<<20) + "\n",
		"a large patch":                  kust("resources: [app.yaml]\npatches: [{path: p.txt}]\n") + oddApp + "-- apps/p.txt --\n" + oddPatch + "# " + strings.Repeat("x", 1<<20) + "\n",
		"a large Kustomization":          "-- apps/Kustomization --\nresources: [app.txt]\n# " + strings.Repeat("x", 1<<20) + "\n-- apps/app.txt --\n" + oddRelease,
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, oddEntry+archive)
			want, failed := upstreamOf(t, dir, ".", []string{"clusters/prod/apps.yaml"})
			tree := load(t, dir, Options{})
			got, want, said := judgedOf(t, objectsOf(tree, "prod")), judgedOf(t, want), unknownsOf(tree, dir)
			if len(said) == 0 && (!slices.Equal(got, want) || len(failed) > 0) {
				t.Errorf("got\n%s\nwant\n%s\nfailed %q", strings.Join(got, "\n"), strings.Join(want, "\n"), failed)
			}
		})
	}
}
