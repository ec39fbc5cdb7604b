package fleet

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// A cluster has to do with whatever its Kustomizations read, with what is assumed to be applied by hand, and with its entry.
func TestAskedPath(t *testing.T) {
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(`
-- clusters/a/kustomization.yaml --
resources: [apps.yaml]
patches: [{path: ../../patches/cluster/apps.yaml}]
-- clusters/a/apps.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  components: [../component]
-- clusters/b/hand/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: hand, namespace: flux-system}
data: {NAME: web}
-- patches/cluster/apps.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {prune: true, interval: 1m}
-- apps/kustomization.yaml --
resources: [../base]
patches: [{path: ../patches/web/web.yaml}]
configMapGenerator: [{name: settings, envs: [../settings/web.env]}]
-- base/kustomization.yaml --
resources: [web.yaml]
-- base/web.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: web}
spec: {interval: 1m, chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: charts}}}}
-- patches/web/web.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: web}
spec: {timeout: 5m}
-- settings/web.env --
A=b
-- component/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
-- clusters/b/apps.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: others, namespace: flux-system}
spec: {path: ./others, interval: 1m, prune: true, sourceRef: {kind: GitRepository, name: flux-system}, postBuild: {substituteFrom: [{kind: ConfigMap, name: hand}]}}
-- others/other.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: other, namespace: other}
spec: {interval: 1m, chart: {spec: {chart: other, sourceRef: {kind: HelmRepository, name: charts}}}}
`)).Files {
		files[f.Name] = f.Data
	}
	for path, want := range map[string]string{
		"clusters/a/kustomization.yaml": "a", "clusters/a/apps.yaml": "a", "clusters/a": "a", "clusters/b/hand/cm.yaml": "b", "patches/cluster": "a",
		"apps": "a", "base/web.yaml": "a", "patches/web/web.yaml": "a", "settings/web.env": "a", "component": "a",
		"clusters/b/apps.yaml": "b", "others": "b", "others/other.yaml": "b", "clusters": "ab", "": "ab", "unread": "",
	} {
		f, err := Resolve(t.Context(), manifests.NewIndex(tree.Of(nil).With(files), build.NewBuilder()), Options{Asked: Asked{Path: path}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, c := range f.Clusters {
			if !c.Skimmed && !c.LeftOver {
				got += c.Name
			}
		}
		if got != want {
			t.Errorf("of %q clusters %q are walked as a whole, want %q", path, got, want)
		}
	}
}
