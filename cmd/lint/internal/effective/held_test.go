package effective

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Loading holds so many bytes for each release that is loaded as it is written. It was 3,600 when the
// limit was set.
func TestHeldByRelease(t *testing.T) {
	const releases, most = 2000, 5000
	values := strings.Repeat("    image:\n      tag: \"1\"\n", 60)
	var archive strings.Builder
	for i := range releases {
		fmt.Fprintf(&archive, "-- %d.yaml --\n%s  values:\n%s", i, releaseOf(fmt.Sprintf("app-%d", i)), strings.ReplaceAll(values, "image", fmt.Sprintf("image%d", i)))
	}
	dir := write(t, archive.String())
	held := heldBy(func() *Tree { return load(t, dir, Options{Lean: true}) })
	if held/releases > most {
		t.Errorf("%d bytes are held for each release, want at most %d", held/releases, most)
	}
}

// A cluster holds no copy of what it applies in common with others.
func TestHeldByCluster(t *testing.T) {
	const keys, few, many = 4000, 2, 12
	shared := releaseOf("shared") + "  values:\n"
	for i := range keys {
		shared += fmt.Sprintf("    key%d: value %d\n", i, i)
	}
	fleet := func(clusters int) func() *Tree {
		archive := "-- base/shared.yaml --\n" + shared
		for i := range clusters {
			archive += fmt.Sprintf("-- clusters/c%d/base.yaml --\n", i) + `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: base, namespace: flux-system}
spec: {interval: 1h, path: ./base, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}
` + fmt.Sprintf("-- clusters/c%d/flux-system/gotk-sync.yaml --\n", i) + fmt.Sprintf(`apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, url: "https://example.com/fleet"}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1h, path: ./clusters/c%d, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}
`, i)
		}
		dir := write(t, archive)
		return func() *Tree {
			tree := load(t, dir, Options{})
			if len(tree.Releases) != clusters {
				t.Fatalf("%d releases, want %d", len(tree.Releases), clusters)
			}
			return tree
		}
	}
	more := (heldBy(fleet(many)) - heldBy(fleet(few))) / (many - few)
	if more > 50*keys {
		t.Errorf("%d bytes are held for each cluster, which applies an object of %d fields", more, keys)
	}
}

// heldBy returns the bytes that a tree holds.
func heldBy(load func() *Tree) int {
	before := inUse()
	tree := load()
	after := inUse()
	runtime.KeepAlive(tree)
	return after - before
}

func inUse() int {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first one has found is freed now
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}
