package effective

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// What decides a field keeps its name when lines move: in every fleet each file gets
// lines above and below, and the ends of lines that Windows has.
func TestFieldOutlivesMovedLines(t *testing.T) {
	eachFleet(t, func(t *testing.T, dir string) {
		opts := Options{}
		in := open(t, dir, &opts)
		want := deciding(loadInput(t, in, opts))
		in.Files = in.Files.With(moved(t, in.Files))
		if got := deciding(loadInput(t, in, opts)); !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

func moved(t *testing.T, files fs.FS) map[string][]byte {
	t.Helper()
	changes := map[string][]byte{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".yaml") {
			return err
		}
		data, err := fs.ReadFile(files, name)
		data = bytes.ReplaceAll(data, []byte("\r"), nil)
		changes[name] = bytes.ReplaceAll(slices.Concat([]byte("# One line more.\n\n"), data, []byte("\n")), []byte("\n"), []byte("\r\n"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// deciding returns what decides some fields of all releases.
func deciding(tree *Tree) []string {
	var out []string
	for _, r := range tree.Releases {
		for _, at := range []release.Path{
			{"spec"},
			{"spec", "timeout"},
			{"spec", "install", "strategy", "name"},
			{"spec", "install", "remediation", "retries"},
			{"spec", "upgrade", "remediation", "retries"},
			{"spec", "upgrade", "strategy", "retryInterval"},
		} {
			by := r.Locate(at)
			out = append(out, fmt.Sprintf("%s %s %s: %s: %s", r.Cluster, r.ID(), at, by.File, by.Field()))
		}
	}
	return out
}

// An item of a list is named by what it is for, so that its name stays when another one is
// put before it. Two for the same are told apart.
func TestFieldOfPatches(t *testing.T) {
	const kustomization = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [shop.yaml, cart.yaml]
patches:
`
	const more = `  - target: {kind: HelmRelease, name: none}
    patch: |
      - {op: add, path: /spec/timeout, value: 1m}
`
	const patches = `  - target: {kind: HelmRelease}
    patch: |
      - op: add
        path: /spec/upgrade
        value: {remediation: {retries: 7}}
  - patch: |
      apiVersion: helm.toolkit.fluxcd.io/v2
      kind: HelmRelease
      metadata: {name: shop, namespace: apps}
      spec: {install: {remediation: {retries: 7}}}
  - target: {kind: HelmRelease}
    patch: |
      - {op: replace, path: /spec/interval, value: 2h}
`
	for _, list := range []string{patches, more + patches} {
		dir := write(t, "-- shop.yaml --\n@shop\n-- cart.yaml --\n@cart\n-- kustomization.yaml --\n"+kustomization+list)
		for _, r := range load(t, dir, Options{}).Releases {
			for path, want := range map[string]string{
				"upgrade":  "Kustomization patches[kind=HelmRelease].patch [add /spec/upgrade].value.remediation.retries",
				"install":  "Kustomization patches[HelmRelease apps/shop].patch spec.install.remediation.retries",
				"interval": "Kustomization patches[kind=HelmRelease].patch [replace /spec/interval].value",
			} {
				at := release.Path{"spec", path, "remediation", "retries"}
				if path == "interval" {
					at = at[:2]
				}
				if path == "install" && r.Name == "cart" {
					want = "HelmRelease apps/cart spec.install.remediation.retries"
				}
				if got := r.Locate(at).Field(); got != want {
					t.Errorf("%s of %s: got %s, want %s", at, r.ID(), got, want)
				}
			}
		}
	}
}
