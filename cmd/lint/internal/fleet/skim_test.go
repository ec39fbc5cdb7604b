package fleet

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// What is skimmed has the clusters, the Kustomizations and the files of what is walked as a whole.
func TestSkimmed(t *testing.T) {
	folders, err := filepath.Glob("../../../../testdata/fleet/*")
	if err != nil || len(folders) < 30 {
		t.Fatal(len(folders), err)
	}
	skims := 0
	for _, folder := range folders {
		files, err := tree.Folder(t.Context(), folder, tree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		skims += skimmedAsWhole(t, folder, files)
	}
	if skims < 40 {
		t.Errorf("only %d Kustomizations were not built", skims)
	}
}

// Variables of a path, and an object that becomes a Kustomization, are not overlooked.
func TestSkimmedMeans(t *testing.T) {
	const entries = `
-- clusters/a/ks.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: settings, namespace: flux-system}
spec: {path: ./settings, sourceRef: {kind: GitRepository, name: flux-system}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./stage
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substituteFrom: [{kind: ConfigMap, name: the-settings}]}
-- stage/ks.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: inner, namespace: flux-system}
spec: {path: "./apps/${WHERE}", sourceRef: {kind: GitRepository, name: flux-system}}
-- clusters/b/ks.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: other, namespace: flux-system}
spec: {path: ./apps/two, sourceRef: {kind: GitRepository, name: flux-system}}
-- apps/one/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: one}
-- apps/two/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: two}
`
	const newer = "-- stage/ks.yaml --\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: inner, namespace: flux-system}\n" +
		"spec: {path: ./apps/one, interval: 1m, prune: true, deletionPolicy: Orphan, sourceRef: {kind: GitRepository, name: flux-system}}\n" +
		"-- apps/one/ks.yaml --\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: deeper, namespace: flux-system}\n" +
		"spec: {path: ./apps/two, interval: 1m, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}\n"
	for name, settings := range map[string]string{
		"of an older definition": newer + "-- settings/crd.yaml --\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: kustomizations.kustomize.toolkit.fluxcd.io}\nspec:\n  group: kustomize.toolkit.fluxcd.io\n  scope: Namespaced\n" +
			"  names: {kind: Kustomization, listKind: KustomizationList, plural: kustomizations, singular: kustomization}\n  versions:\n    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {path: {type: string}, interval: {type: string}, prune: {type: boolean}, sourceRef: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}}}\n",
		"of an older Flux": newer + "-- settings/hr.yaml --\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: flux, namespace: flux-system}\nspec:\n  interval: 1m\n  chart: {spec: {chart: flux-instance, sourceRef: {kind: HelmRepository, name: operator}}}\n" +
			"  values: {instance: {distribution: {version: 2.4.0, registry: ghcr.io/fluxcd}}}\n",
		"written":   "-- settings/cm.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: the-settings, namespace: flux-system}\ndata: {WHERE: one}\n",
		"prefixed":  "-- settings/kustomization.yaml --\nnamePrefix: the-\nresources: [cm.yaml]\n-- settings/cm.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\ndata: {WHERE: one}\n",
		"generated": "-- settings/kustomization.yaml --\nnamespace: flux-system\nconfigMapGenerator: [{name: the-settings, literals: [WHERE=one], options: {disableNameSuffixHash: true}}]\n",
		"patched":   "-- settings/kustomization.yaml --\nresources: [cm.yaml]\npatches: [{target: {kind: ConfigMap}, options: {allowNameChange: true}, path: p.yaml}]\n-- settings/p.yaml --\n[{\"op\": \"replace\", \"path\": \"/metadata/name\", \"value\": \"the-settings\"}]\n-- settings/cm.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\ndata: {WHERE: one}\n",
		"replaced": "-- settings/kustomization.yaml --\nresources: [cm.yaml, a.yaml]\nreplacements: [{source: {kind: Alias, fieldPath: spec}, targets: [{select: {kind: ConfigMap}, fieldPaths: [metadata.name]}]}]\n-- settings/a.yaml --\napiVersion: v1\nkind: Alias\nmetadata: {name: x}\nspec: the-settings\n" +
			"-- settings/cm.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\ndata: {WHERE: one}\n",
		"of another kind": "-- settings/kustomization.yaml --\nresources: [a.yaml]\npatches: [{target: {kind: Alias}, options: {allowKindChange: true}, path: p.yaml}]\n-- settings/a.yaml --\napiVersion: kustomize.toolkit/v1\nkind: Alias\nmetadata: {name: x, namespace: flux-system}\nspec: {path: ./apps/one, sourceRef: {kind: GitRepository, name: flux-system}}\n" +
			"-- settings/p.yaml --\n[{\"op\": \"replace\", \"path\": \"/kind\", \"value\": \"Kustomization\"}, {\"op\": \"replace\", \"path\": \"/apiVersion\", \"value\": \"kustomize.toolkit.fluxcd.io/v1\"}]\n",
		"of a kind that a patch writes": "-- settings/kustomization.yaml --\nresources: [a.yaml]\npatches: [{target: {kind: Alias}, path: p.yaml}]\n-- settings/p.yaml --\n[{\"op\": \"replace\", \"path\": \"/kind\", \"value\": \"Kustomization\"}, {\"op\": \"add\", \"path\": \"/spec/sourceRef\", \"value\": {\"kind\": \"GitRepository\", \"name\": \"flux-system\"}}]\n" +
			"-- settings/a.yaml --\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Alias\nmetadata: {name: x, namespace: flux-system}\nspec: {path: ./apps/one, interval: 1m, prune: true}\n",
	} {
		files := map[string][]byte{}
		for _, f := range txtar.Parse([]byte(entries + settings)).Files {
			files[f.Name] = f.Data
		}
		skimmedAsWhole(t, name, tree.Of(nil).With(files))
	}
}

// skimmedAsWhole compares the walk of a tree with one that skims it, and counts what that does not build.
func skimmedAsWhole(t *testing.T, name string, files *tree.Tree) (skims int) {
	t.Helper()
	resolve := func(asked Asked) *Fleet {
		f, err := Resolve(t.Context(), manifests.NewIndex(files, build.NewBuilder()), Options{Asked: asked})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	whole, skimmed := resolve(Asked{}), resolve(nothing())
	seen := func(f *Fleet) (out []string) {
		for _, c := range f.Clusters {
			out = append(out, "cluster "+c.Name+" "+c.File)
			for id, k := range c.pass.applied {
				out = append(out, c.Name+" "+id+" "+asJSON(trace.Strip(k.Object)["spec"]))
			}
			reached := maps.Clone(c.pass.coverage.Consumed)
			for file := range c.pass.coverage.Broken {
				reached[file] = true
			}
			for file := range reached {
				out = append(out, c.Name+" reads "+file)
			}
		}
		slices.Sort(out)
		return out
	}
	if got, want := seen(skimmed), seen(whole); !slices.Equal(got, want) {
		t.Errorf("%s: skimmed\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, c := range skimmed.Clusters {
		skims += len(c.pass.skimmed)
	}
	return skims
}
