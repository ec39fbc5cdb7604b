package fleet

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Clusters that are walked side by side find what they find one after the other: the second one here looks for
// settings as applied by hand, unless it knows that the first one applies them, and each fails with files of the other.
func TestSideBySide(t *testing.T) {
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(sharedSettings)).Files {
		files[f.Name] = f.Data
	}
	x := manifests.NewIndex(tree.Of(nil).With(files), build.NewBuilder())
	walked := func(walk func(r *resolver, all []*entries.Cluster) ([]*pass, error)) (out []string) {
		r := &resolver{world: &world{index: x, sources: sources.New(x, nil, nil), coverage: manifests.NewCoverage(x)}}
		passes, err := walk(r, r.finder().Entries(nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range passes {
			out = append(out, fmt.Sprintf("%s %d releases, failed %v, assumed %v", p.cluster.Name, len(p.releases), p.failed, slices.Sorted(maps.Keys(p.assumed))))
		}
		if len(passes) != 2 {
			t.Fatalf("%d clusters", len(passes))
		}
		return append(out, fmt.Sprint(r.coverage.Consumed, r.coverage.Built, r.coverage.Broken, r.coverage.Beside, r.coverage.Remotes))
	}
	want := walked(func(r *resolver, all []*entries.Cluster) (out []*pass, err error) {
		for _, c := range all {
			p, err := r.resolve(t.Context(), c)
			if err != nil {
				return nil, err
			}
			out = append(out, p)
		}
		return out, nil
	})
	got := walked(func(r *resolver, all []*entries.Cluster) ([]*pass, error) { return r.sideBySide(t.Context(), all) })
	if !strings.Contains(want[1], "b 1 releases") || !strings.Contains(want[2], "broken/release.yaml") {
		t.Errorf("one after the other\n%s", want)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("side by side\n%s\none after the other\n%s", got, want)
	}
}

const sharedSettings = `
-- clusters/a/flux-system/gotk-sync.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, prune: true, path: ./clusters/a, sourceRef: {kind: GitRepository, name: flux-system}}
-- clusters/b/flux-system/gotk-sync.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, prune: true, path: ./clusters/b, sourceRef: {kind: GitRepository, name: flux-system}}
-- clusters/a/apps.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: settings, namespace: flux-system}
spec: {interval: 1m, prune: true, path: ./settings, sourceRef: {kind: GitRepository, name: flux-system}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: broken, namespace: flux-system}
spec: {interval: 1m, prune: true, path: ./broken, sourceRef: {kind: GitRepository, name: flux-system}}
-- clusters/b/apps.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 1m
  prune: true
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: other, namespace: flux-system}
spec: {interval: 1m, prune: true, path: ./broken, sourceRef: {kind: GitRepository, name: flux-system}}
-- settings/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: flux-system}
data: {TIMEOUT: 7m}
-- broken/kustomization.yaml --
resources: [release.yaml, missing.yaml]
-- broken/release.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: broken, namespace: apps}
-- apps/release.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app, namespace: apps}
spec: {interval: 1m, timeout: "${TIMEOUT}", chartRef: {kind: OCIRepository, name: app}}
`
