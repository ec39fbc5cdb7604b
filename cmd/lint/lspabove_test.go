package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// above is a cluster whose Kustomizations have a finding each that one of their fields repairs.
const above = `
-- clusters/prod/flux-system/gotk-sync.yaml --
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {url: ssh://git@example.com/fleet, ref: {branch: main}, interval: 1m}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 10m, path: ./clusters/prod, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}
-- clusters/prod/apps.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: short, namespace: flux-system}
spec:
  interval: 10m
  retryInterval: 2m
  timeout: 3m
  wait: true
  path: ./short
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: unawaited, namespace: flux-system}
spec:
  interval: 10m
  retryInterval: 2m
  path: ./unawaited
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: last, namespace: flux-system}
spec:
  interval: 10m
  retryInterval: 2m
  dependsOn: [{name: short}, {name: unawaited}]
  path: ./last
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
-- last/map.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: last, namespace: apps}
`

// TestEditorAbove repairs Flux Kustomizations by what an editor is offered in them.
func TestEditorAbove(t *testing.T) {
	dir := t.TempDir()
	files := txtar.Parse([]byte(above)).Files
	for _, name := range []string{"short", "unawaited"} {
		files = append(files, txtar.File{Name: name + "/release.yaml", Data: []byte(`apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ` + name + `, namespace: apps}
spec:
  interval: 1h
  timeout: 5m
  chartRef: {kind: OCIRepository, name: app}
  install: {strategy: {name: RetryOnFailure, retryInterval: 5m}}
  upgrade: {strategy: {name: RetryOnFailure, retryInterval: 5m}}
`)})
	}
	for _, f := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, f.Name)), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	c := connect(t, edited(t, dir))
	const apps = "clusters/prod/apps.yaml"
	text := string(readFile(t, filepath.Join(c.root, apps)))
	shown := c.hold(apps, 1, text)
	for rule, want := range map[string]string{"short-wait": "timeout: 5m", "unawaited-dependency": "wait: true"} {
		found := false
		for _, d := range shown.Diagnostics {
			if d.Code != rule {
				continue
			}
			answer := c.at("codeAction", apps, int(d.Range.Start.Line), int(d.Range.Start.Character))
			found = found || strings.Contains(answer, "fix of "+rule) && strings.Contains(answer, "of Kustomization flux-system/") && strings.Contains(answer, want)
		}
		if !found {
			data, _ := json.MarshalIndent(shown, "", " ")
			t.Errorf("no repair of %s is offered that writes %q; shown is\n%s", rule, want, data)
		}
	}
	repaired := strings.Replace(text, "  timeout: 3m", "  timeout: 5m", 1)
	repaired = strings.Replace(repaired, "  path: ./unawaited", "  wait: true\n  timeout: 5m\n  path: ./unawaited", 1)
	if after := c.hold(apps, 2, repaired); len(after.Diagnostics) > 0 {
		t.Errorf("after the repairs there is still %+v", after.Diagnostics)
	}
	if code := c.end(); code != exitOK {
		t.Errorf("the server ends with %d", code)
	}
}
